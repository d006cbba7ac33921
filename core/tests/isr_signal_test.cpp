// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

struct listener : coroutine<listener, deadline> {
  explicit listener(isr_signal& s) : line(s) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(line.wait());
      MARK("heard");
      if (works_for != duration()) sim::advance(works_for);
    }
    BATON_END();
  }
  isr_signal& line;
  duration works_for;
};

isr_signal* the_line;
isr_signal* the_other_line;

void set_line() {
  the_line->set();
}
void set_both() {
  the_other_line->set();
  the_line->set();
}

}  // namespace

TEST_CASE("an interrupt wakes the job that waits, and an idle scheduler jumps to it") {
  isr_signal line;
  the_line = &line;
  listener a(line);
  NAME(line);
  NAME(a);
  sim::interrupt i;
  i.handler = &set_line;
  sim::at(milliseconds(3), i);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits line", "a ready", "a runs", "heard", "a waits line");
  CHECK(port::now() == milliseconds(3));
  CHECK_EQ(sim::clock::get().jumps, 1);
}

TEST_CASE("an interrupt while another job runs is seen before the next one runs") {
  struct worker : coroutine<worker> {
    point step(point at) {
      BATON_BEGIN();
      BATON_YIELD();
      sim::advance(milliseconds(5));
      BATON_YIELD();
      BATON_END();
    }
  };
  isr_signal line;
  the_line = &line;
  listener a(line);
  worker b, c;
  NAME(line);
  NAME(a);
  NAME(b);
  NAME(c);
  sim::interrupt i;
  i.handler = &set_line;
  sim::at(milliseconds(3), i);
  a.start();
  b.start();
  c.start();
  scheduler::run();
  CHECK_TRACE("a ready", "b ready", "c ready", "a runs", "a waits line", "b runs", "c runs", "b runs", "a ready",
              "c runs", "b runs", "b done", "a runs", "heard", "a waits line", "c runs", "c done");
}

TEST_CASE("a set that comes while the waiter works is not lost; two are one") {
  isr_signal line;
  the_line = &line;
  listener a(line);
  a.works_for = milliseconds(10);
  NAME(line);
  NAME(a);
  sim::interrupt at_3, at_5, at_7;
  at_3.handler = at_5.handler = at_7.handler = &set_line;
  sim::at(milliseconds(7), at_7);
  sim::at(milliseconds(3), at_3);
  sim::at(milliseconds(5), at_5);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits line", "a ready", "a runs", "heard", "heard", "a waits line");
}

TEST_CASE("a set before anybody waits stays") {
  isr_signal line;
  listener a(line);
  NAME(line);
  NAME(a);
  line.set();
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "heard", "a waits line");
  CHECK(!line.try_take());
  line.set();
  CHECK(line.try_take());
  CHECK(!line.try_take());
}

TEST_CASE("waiters of one signal are woken one a set, oldest first, and nobody overtakes") {
  struct late : coroutine<late, waiting> {
    explicit late(isr_signal& s) : line(s) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_YIELD();
      line.set();
      BATON_WAIT(line.wait());
      MARK("late heard");
      BATON_END();
    }
    isr_signal& line;
  };
  isr_signal line;
  listener a(line);
  late b(line);
  NAME(line);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "a runs", "a waits line", "b runs", "b runs", "b waits line", "a ready", "a runs",
              "heard", "a waits line");
  line.set();
  scheduler::run_until_idle();
  CHECK_TRACE("b ready", "b runs", "late heard", "b done");
}

TEST_CASE("two signals at once wake both jobs") {
  isr_signal line, other;
  the_line = &line;
  the_other_line = &other;
  listener a(line), b(other);
  NAME(a);
  NAME(b);
  sim::interrupt i;
  i.handler = &set_both;
  sim::at(milliseconds(3), i);
  a.start();
  b.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  sim::advance(milliseconds(3));
  scheduler::run_until_idle();
  CHECK_TRACE("b ready", "a ready", "b runs", "heard", "b waits ?", "a runs", "heard", "a waits ?");
}

TEST_CASE("a wait for an interrupt has a deadline, a cancel, and ends when the signal is destroyed") {
  struct patient : coroutine<patient, deadline> {
    explicit patient(isr_signal& s) : line(s) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT_FOR(milliseconds(10), line.wait());
      BATON_END();
    }
    isr_signal& line;
  };
  isr_signal line;
  patient a(line), b(line);
  a.start();
  b.start();
  scheduler::run_until_idle();
  CHECK(b.cancel());
  scheduler::run();
  CHECK_EQ(a.result(), status::timed_out);
  CHECK_EQ(b.result(), status::cancelled);
  line.set();
  scheduler::run();
  CHECK(line.try_take());
  patient* survivor = nullptr;
  patient c(line);
  struct dying : coroutine<dying, waiting> {
    explicit dying(isr_signal& s) : line(s) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(line.wait());
      BATON_END();
    }
    isr_signal& line;
  };
  {
    isr_signal gone;
    dying d(gone);
    survivor = &c;
    d.start();
    scheduler::run_until_idle();
  }
  survivor->start();
  scheduler::run_until_idle();
  line.set();
  scheduler::run_until_idle();
  CHECK_EQ(c.result(), status::ok);
}

TEST_CASE("a hundred interrupts at every distance, none is lost") {
  struct counting : coroutine<counting, waiting> {
    explicit counting(isr_signal& s) : line(s) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_WAIT(line.wait());
        ++heard;
      }
      BATON_END();
    }
    isr_signal& line;
    uint16_t heard = 0;
  };
  isr_signal line;
  the_line = &line;
  counting a(line);
  a.start();
  sim::interrupt i;
  i.handler = &set_line;
  for (uint16_t n = 0; n < 100; ++n) {
    sim::at(port::now() + n, i);
    scheduler::run();
  }
  CHECK_EQ(a.heard, 100);
}
