// SPDX-License-Identifier: MIT
#include <baton/test/text.hpp>
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

struct adder : coroutine<adder, returning<uint16_t>> {
  adder(uint16_t x, uint16_t y) : a(x), b(y) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_YIELD();
    if (a == 0) BATON_RETURN(7);
    BATON_RETURN(static_cast<uint16_t>(a + b));
    BATON_END();
  }
  uint16_t a, b;
};

struct joiner : coroutine<joiner, deadline> {
  explicit joiner(adder& of) : other(of) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(milliseconds(10), other.join());
    if (result() == status::ok) {
      MARK("sum", other.value());
    } else {
      MARK("join ended", result());
    }
    BATON_END();
  }
  adder& other;
};

template <typename Base>
struct worker : coroutine<worker<Base>, listed<Base>> {
  explicit worker(port::text called) { this->name = called; }
  point step(point at) {
    BATON_BEGIN();
    sink = test::text_sink<300>();
    print_coroutines(sink);
    BATON_YIELD();
    BATON_SUSPEND();
    BATON_END();
  }
  static test::text_sink<300> sink;
};
template <typename Base>
test::text_sink<300> worker<Base>::sink;

struct napping : coroutine<napping, listed<timed_waiting>> {
  explicit napping(port::text called, channel<uint8_t>& from) : source(from) { name = called; }
  point step(point at) {
    BATON_BEGIN();
    BATON_DELAY_MS(5);
    BATON_WAIT(source.receive(value));
    BATON_DELAY_MS(5);
    BATON_SUSPEND();
    BATON_END();
  }
  channel<uint8_t>& source;
  uint8_t value = 0;
};

struct choosing : coroutine<choosing, listed<selecting<2, deadline>>> {
  explicit choosing(port::text called, channel<uint8_t>& from) : source(from) { name = called; }
  point step(point at) {
    BATON_BEGIN();
    BATON_DELAY_MS(5);
    BATON_SELECT(source.receive(x), source.receive(y));
    BATON_END();
  }
  channel<uint8_t>& source;
  uint8_t x = 0;
  uint8_t y = 0;
};

struct hello : coroutine<hello, named<>> {
  point step(point at) {
    BATON_BEGIN();
    BATON_END();
  }
};

}  // namespace

TEST_CASE("a body returns a value, and those who joined run after it in their order") {
  adder sum(2, 3);
  joiner a(sum), b(sum);
  NAME(sum);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  sum.start();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "sum ready", "a runs", "a waits sum", "b runs", "b waits sum", "sum runs",
              "sum runs", "sum done", "a ready", "b ready", "a runs", "sum 5", "a done", "b runs", "sum 5", "b done");
}

TEST_CASE("a join of a body that has ended does not wait") {
  adder sum(0, 3);
  sum.start();
  scheduler::run();
  CHECK(sum.is_done());
  joiner a(sum);
  NAME(a);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "sum 7", "a done");
}

TEST_CASE("a restart keeps those who joined waiting") {
  adder sum(1, 1);
  joiner a(sum);
  a.start();
  sum.start();
  scheduler::run_for(2);
  sum.restart();
  scheduler::run_for(1);
  CHECK(!a.is_done());
  scheduler::run_until_idle();
  CHECK(a.is_done());
  CHECK_EQ(a.result(), status::ok);
}

TEST_CASE("the end of a coroutine that is destroyed first is closed") {
  struct patient : coroutine<patient, waiting> {
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(other->join());
      BATON_END();
    }
    adder* other = nullptr;
  };
  patient a;
  {
    adder sum(1, 1);
    a.other = &sum;
    a.start();
    scheduler::run_until_idle();
  }
  scheduler::run();
  CHECK(a.is_done());
  CHECK_EQ(a.result(), status::closed);
}

TEST_CASE("a join has a deadline") {
  adder never(1, 1);
  joiner a(never);
  a.start();
  scheduler::run();
  CHECK(a.is_done());
  CHECK_EQ(a.result(), status::timed_out);
}

TEST_CASE("a name is what was given, and no name is null") {
  hello a;
  CHECK(a.name() == nullptr);
  a.set_name(BATON_TEXT("hello"));
  CHECK_EQ(port::read(a.name()), 'h');
}

TEST_CASE("the list says what each coroutine does, newest first") {
  channel<uint8_t> pipe;
  worker<plain> a(BATON_TEXT("a")), never(BATON_TEXT("never"));
  worker<waiting> b(BATON_TEXT("b"));
  napping n(BATON_TEXT("n"), pipe);
  choosing c(BATON_TEXT("c"), pipe);
  worker<plain> nameless(nullptr);
  n.start();
  c.start();
  a.start();
  b.start();
  scheduler::run_for(3);
  CHECK_TEXT(worker<plain>::sink,
             "Coroutine (unnamed); status: NotStarted\r\n"
             "Coroutine c; status: Delaying\r\n"
             "Coroutine n; status: Delaying\r\n"
             "Coroutine b; status: Ready\r\n"
             "Coroutine never; status: NotStarted\r\n"
             "Coroutine a; status: Running\r\n");
  scheduler::run();
  CHECK_EQ(n.state(), job_state::waiting);
  CHECK_EQ(c.state(), job_state::waiting);
  CHECK_EQ(b.state(), job_state::suspended);
  a.resume();
  CHECK_EQ(a.state(), job_state::ready);
  CHECK_EQ(pipe.try_send(1), status::ok);
  CHECK_EQ(n.state(), job_state::ready);
  scheduler::run_until_idle();
  CHECK_EQ(a.state(), job_state::ended);
  CHECK_EQ(n.state(), job_state::delaying);
  scheduler::run();
  CHECK_EQ(n.state(), job_state::suspended);
  CHECK_EQ(pipe.try_send(1), status::ok);
  scheduler::run();
  CHECK_EQ(c.state(), job_state::ended);
}

TEST_CASE("a destroyed coroutine leaves the list, wherever it stands") {
  for (uint8_t i = 0; i < 3; ++i) {
    test::start_fresh();
    worker<plain> first(BATON_TEXT("1"));
    { worker<plain> second(BATON_TEXT("2")); }
    worker<plain> third(BATON_TEXT("3"));
    CHECK(listed_coroutines() == &third);
    CHECK(third.next_listed == &first);
    CHECK(first.next_listed == nullptr);
  }
}
