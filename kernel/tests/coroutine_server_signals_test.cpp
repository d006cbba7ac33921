// SPDX-License-Identifier: MIT
#include "coroutine_program.hpp"

using namespace baton;
using test::ms;

namespace {

struct waiter_of_signal : coroutine<waiter_of_signal, deadline> {
  waiter_of_signal(baton::signal& from, baton::signal& to) : from_(from), to_(to) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(from_.wait());
      if (result() != status::ok) break;
      ++count;
      BATON_DELAY_MS(1);
      to_.set();
    }
    BATON_END();
  }
  baton::signal& from_;
  baton::signal& to_;
  int count = 0;
};

kernel::reachable<isr_signal>* the_line;
void set_line() {
  the_line->set();
}

}  // namespace

TEST_CASE("signals go from tasks to coroutines and back") {
  test::coroutine_program<> p;
  kernel::reachable<baton::signal> there, back;
  p.coroutines.open(there);
  p.coroutines.open(back);
  waiter_of_signal w(there, back);
  w.start();
  p.task("task", 2, [&] {
    for (int i = 1; i <= 3; ++i) {
      CHECK_EQ(p.coroutines.set(there), status::ok);
      CHECK_EQ(p.coroutines.wait(back), status::ok);
      CHECK_EQ(w.count, i);
      CHECK_EQ(port::now(), ms(i));
    }
    CHECK_EQ(p.coroutines.wait(back, ms(2)), status::timed_out);
    CHECK_EQ(p.coroutines.wait(back, 0_ms), status::empty);
  });
  p.run();
}

TEST_CASE("an interrupt's signal wakes a task, whoever set it and whenever") {
  test::coroutine_program<> p;
  kernel::reachable<isr_signal> line;
  the_line = &line;
  p.coroutines.open(line);
  test::interrupt first(ms(3), &set_line), second(ms(4), &set_line), third(ms(9), &set_line);
  p.task("task", 2, [&] {
    CHECK_EQ(p.coroutines.wait(line), status::ok);
    CHECK_EQ(port::now(), ms(3));
    sim::advance(ms(2));  // the second interrupt comes while no task waits
    CHECK_EQ(p.coroutines.wait(line), status::ok);
    CHECK_EQ(port::now(), ms(5));
    CHECK_EQ(p.coroutines.wait(line, ms(2)), status::timed_out);
    CHECK_EQ(p.coroutines.wait(line, ms(50)), status::ok);
    CHECK_EQ(port::now(), ms(9));
  });
  p.run();
}

TEST_CASE("units of a semaphore go to tasks and coroutines alike") {
  struct taker : coroutine<taker, deadline> {
    explicit taker(semaphore& s) : units_(s) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_DELAY_MS(2);
      for (;;) {
        BATON_WAIT(units_.acquire());
        ++got;
      }
      BATON_END();
    }
    semaphore& units_;
    int got = 0;
  };
  test::coroutine_program<> p;
  kernel::reachable<semaphore> s(uint16_t{2});
  p.coroutines.open(s);
  taker t(s);
  t.start();
  p.task("task", 5, [&] {
    CHECK_EQ(p.coroutines.acquire(s, 0_ms), status::ok);
    CHECK_EQ(p.coroutines.acquire(s), status::ok);
    CHECK_EQ(p.coroutines.acquire(s, 0_ms), status::empty);
    CHECK_EQ(p.coroutines.acquire(s, ms(1)), status::timed_out);
    CHECK_EQ(p.coroutines.release(s), status::ok);
    CHECK_EQ(p.coroutines.release(s), status::ok);
    kernel::sleep(ms(2));
    CHECK_EQ(t.got, 2);
    CHECK_EQ(p.coroutines.acquire(s, ms(1)), status::timed_out);
  });
  p.run();
}

TEST_CASE("flags that a task waits for") {
  test::coroutine_program<> p;
  kernel::reachable<event_flags> flags;
  p.coroutines.open(flags);
  p.task("waiter", 3, [&] {
    flags_wait w;
    w.mask = 3;
    w.all = true;
    CHECK_EQ(p.coroutines.wait(flags, w), status::ok);
    CHECK_EQ(w.got, 3);
    p.mark("has both");
    w.mask = 4;
    CHECK_EQ(p.coroutines.wait(flags, w, 0_ms), status::ok);
    CHECK_EQ(p.coroutines.wait(flags, w, ms(1)), status::timed_out);
  });
  p.task("setter", 2, [&] {
    CHECK_EQ(p.coroutines.set(flags, 5), status::ok);
    p.mark("set one");
    CHECK_EQ(p.coroutines.set(flags, 2), status::ok);
    CHECK_EQ(p.coroutines.clear(flags, 0xffff), status::ok);
  });
  p.run();
  CHECK_LOG(p, "setter set one", "waiter has both", "setter ends", "at 1 ms", "waiter ends");
}
