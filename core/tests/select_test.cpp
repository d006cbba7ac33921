// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

using pipe_type = channel<uint8_t>;

/// Waits for a value of `a`, a value of `b`, or the signal `bell`.
struct chooser : coroutine<chooser, selecting<3, deadline>> {
  chooser(pipe_type& first, pipe_type& second, baton::signal& third) : a(first), b(second), bell(third) {}
  point step(point at) {
    BATON_BEGIN();
    if (in_time) {
      BATON_SELECT_FOR(milliseconds(10), a.receive(x), b.receive(y), bell.wait());
    } else {
      BATON_SELECT(a.receive(x), b.receive(y), bell.wait());
    }
    MARK("chose", selected());
    if (result() != status::ok) MARK("ended", result());
    BATON_END();
  }
  pipe_type& a;
  pipe_type& b;
  baton::signal& bell;
  uint8_t x = 0;
  uint8_t y = 0;
  bool in_time = false;
};

struct fixture {
  fixture() : c(a, b, bell) {
    NAME(a);
    NAME(b);
    NAME(bell);
    NAME(c);
  }
  void start() {
    c.start();
    scheduler::run_until_idle();
    test::recorder::get().clear();
  }
  bool nobody_waits() {
    uint8_t v = 0;
    bool none = a.try_send(v) == status::full && b.try_send(v) == status::full;
    bell.set();
    return none && bell.try_take();
  }
  pipe_type a, b;
  baton::signal bell;
  chooser c;
};

}  // namespace

TEST_CASE("a select waits for all its cases, and the first that happens ends it") {
  fixture f;
  f.c.start();
  scheduler::run_until_idle();
  CHECK_TRACE("c ready", "c runs", "c's case waits a", "c's case waits b", "c's case waits bell", "c selects");
  CHECK_EQ(f.b.try_send(7), status::ok);
  CHECK(f.nobody_waits());
  CHECK_EQ(f.c.y, 7);
  scheduler::run();
  CHECK_TRACE("c's case ready", "c's case runs", "c ready", "c runs", "chose 1", "c done");
}

TEST_CASE("a select takes what can be done at once, the first in order") {
  fixture f;
  f.bell.set();
  struct giver : coroutine<giver, waiting> {
    explicit giver(pipe_type& into) : target(into) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(target.send(value));
      BATON_END();
    }
    pipe_type& target;
    uint8_t value = 5;
  };
  giver g(f.b);
  g.start();
  f.start();
  CHECK(f.c.is_done());
  CHECK_EQ(f.c.selected(), 1);
  CHECK_EQ(f.c.y, 5);
  CHECK(f.bell.try_take());
}

TEST_CASE("exactly one case happens, even if the others could a moment later") {
  fixture f;
  f.start();
  f.bell.set();
  CHECK_EQ(f.a.try_send(1), status::full);
  CHECK_EQ(f.b.try_send(2), status::full);
  scheduler::run();
  CHECK_TRACE("c's case ready", "c's case runs", "c ready", "c runs", "chose 2", "c done");
  CHECK_EQ(f.c.x, 0);
  CHECK_EQ(f.c.y, 0);
}

TEST_CASE("a select with a deadline ends with timed_out, and none of its cases has happened") {
  fixture f;
  f.c.in_time = true;
  f.start();
  scheduler::run();
  CHECK_EQ(f.c.result(), status::timed_out);
  CHECK(port::now() == milliseconds(10));
  CHECK(f.nobody_waits());
}

TEST_CASE("a deadline that expires after a case was taken comes too late") {
  fixture f;
  f.c.in_time = true;
  f.start();
  CHECK_EQ(f.a.try_send(3), status::ok);
  sim::advance(milliseconds(10));
  scheduler::run();
  CHECK_EQ(f.c.result(), status::ok);
  CHECK_EQ(f.c.x, 3);
  CHECK(timers::first() == nullptr);
}

TEST_CASE("a cancelled select has none of its cases happen; after a case was taken a cancel is too late") {
  fixture f;
  f.start();
  CHECK(f.c.cancel());
  CHECK(f.nobody_waits());
  scheduler::run();
  CHECK_EQ(f.c.result(), status::cancelled);
  f.c.restart();
  scheduler::run_until_idle();
  CHECK_EQ(f.a.try_send(4), status::ok);
  CHECK(!f.c.cancel());
  scheduler::run();
  CHECK_EQ(f.c.result(), status::ok);
  CHECK_EQ(f.c.x, 4);
}

TEST_CASE("a cancel that comes too late leaves the coroutine its place in the ready queue") {
  fixture f;
  fixture g;
  f.start();
  g.start();
  CHECK_EQ(f.a.try_send(4), status::ok);
  CHECK_EQ(g.a.try_send(5), status::ok);
  CHECK(!f.c.cancel());
  test::recorder::get().start();
  test::recorder::get().name(f.c, BATON_TEST_TEXT("first"));
  test::recorder::get().name(g.c, BATON_TEST_TEXT("second"));
  scheduler::run();
  CHECK_TRACE("first runs", "chose 0", "first done", "second's case runs", "second ready", "second runs", "chose 0",
              "second done");
}

TEST_CASE("a closed case ends the select with closed and says which; the others are withdrawn") {
  fixture f;
  f.start();
  f.b.close();
  scheduler::run();
  CHECK_TRACE("c's case ready", "c's case runs", "c ready", "c runs", "chose 1", "ended 3", "c done");
  CHECK_EQ(f.a.try_send(1), status::full);
}

TEST_CASE("a select with a case that is closed already ends at once") {
  fixture f;
  f.c.in_time = true;
  f.b.close();
  f.start();
  CHECK(f.c.is_done());
  CHECK_EQ(f.c.selected(), 1);
  CHECK_EQ(f.c.result(), status::closed);
  CHECK_EQ(f.a.try_send(1), status::full);
  CHECK(timers::first() == nullptr);
}

TEST_CASE("a select that was resumed directly goes on when a case is closed already") {
  fixture f;
  f.b.close();
  f.c.direct_resume();
  scheduler::run();
  CHECK(f.c.is_done());
}

TEST_CASE("a suspended select is withdrawn, and is cancelled when it is resumed") {
  fixture f;
  f.start();
  f.c.suspend();
  CHECK(f.nobody_waits());
  scheduler::run();
  CHECK_TRACE();
  f.c.resume();
  scheduler::run();
  CHECK_EQ(f.c.result(), status::cancelled);
  CHECK(f.c.is_done());
}

TEST_CASE("a select that is suspended after a case was taken stays suspended, and keeps its value") {
  for (uint8_t with_deadline = 0; with_deadline < 2; ++with_deadline) {
    test::start_fresh();
    fixture f;
    f.c.in_time = with_deadline;
    f.start();
    CHECK_EQ(f.b.try_send(9), status::ok);
    f.c.suspend();
    test::recorder::get().clear();
    scheduler::run();
    CHECK_TRACE();
    CHECK_WITH(!f.c.is_done(), with_deadline);
    f.c.resume();
    scheduler::run();
    CHECK_WITH(f.c.is_done(), with_deadline);
    CHECK_EQ(f.c.y, 9);
    CHECK_EQ(f.c.selected(), 1);
    CHECK_EQ(f.c.result(), status::ok);
  }
}

TEST_CASE("a value that was handed to a select which goes away is counted as lost, a signal is not") {
  for (uint8_t how = 0; how < 8; ++how) {
    test::start_fresh();
    {
      fixture f;
      f.start();
      if (how & 4) {
        f.bell.set();
      } else {
        CHECK_EQ(f.a.try_send(1), status::ok);
      }
      if (how & 1) f.c.suspend();
      if (how & 2) f.c.restart();
    }
    CHECK_WITH(dropped_values() == (how & 4 ? 0 : 1), how);
    CHECK(domain::tail() == nullptr);
  }
}

TEST_CASE("a select between two waiters of one list keeps their order") {
  struct plain_receiver : coroutine<plain_receiver, waiting> {
    explicit plain_receiver(pipe_type& from) : source(from) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(source.receive(value));
      BATON_END();
    }
    pipe_type& source;
    uint8_t value = 0;
  };
  fixture f;
  plain_receiver first(f.a), last(f.a);
  first.start();
  f.c.start();
  last.start();
  scheduler::run_until_idle();
  for (uint8_t i = 1; i <= 3; ++i) CHECK_EQ(f.a.try_send(i), status::ok);
  CHECK_EQ(first.value, 1);
  CHECK_EQ(f.c.x, 2);
  CHECK_EQ(last.value, 3);
}
