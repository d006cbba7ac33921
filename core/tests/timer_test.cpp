// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

constexpr bool is_small = test::is_small_target;

uint32_t now_ms() {
  return static_cast<uint32_t>(port::now() / milliseconds(1));
}

struct napping : coroutine<napping, timed> {
  explicit napping(uint16_t ms) : nap_ms(ms) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_DELAY_MS(nap_ms);
    MARK("at", now_ms());
    BATON_END();
  }
  uint16_t nap_ms;
};

struct drum : coroutine<drum, timed> {
  point step(point at) {
    BATON_BEGIN();
    next_due = port::now();
    for (turns = 0; turns < 3; ++turns) {
      next_due += milliseconds(10);
      BATON_DELAY_UNTIL(next_due);
      MARK("at", now_ms());
      sim::advance(milliseconds(3));  // the work takes a while, and the period does not drift
    }
    BATON_END();
  }
  tick next_due = 0;
  uint8_t turns = 0;
};

/// Sleeps for hours: more than one deadline of a 32-bit clock.
struct long_sleeper : coroutine<long_sleeper, long_timed> {
  point step(point at) {
    BATON_BEGIN();
    BATON_DELAY_S(5 * 3600);
    MARK("woken");
    woken_at = port::now();
    BATON_DELAY_UNTIL(port::now() + milliseconds(1));
    MARK("woken a millisecond later");
    BATON_END();
  }
  tick woken_at = 0;
};

template <typename Base>
struct patient : coroutine<patient<Base>, Base> {
  explicit patient(channel<uint8_t>& from) : source(from) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(seconds(3600), source.receive(value));
    MARK("status", this->result());
    BATON_END();
  }
  channel<uint8_t>& source;
  uint8_t value = 0;
};

constexpr tick hours(uint64_t n) {
  return static_cast<tick>(n * 3600 * port::ticks_per_second);
}

}  // namespace

TEST_CASE("delays end in the order of their due times, equal ones in the order of arming") {
  napping a(30), b(10), c(20), d(10);
  NAME(a);
  NAME(b);
  NAME(c);
  NAME(d);
  a.start();
  b.start();
  c.start();
  d.start();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "c ready", "d ready", "a runs", "a waits", "b runs", "b waits", "c runs", "c waits",
              "d runs", "d waits");
  scheduler::run();
  CHECK_TRACE("b ready", "d ready", "b runs", "at 10", "b done", "d runs", "at 10", "d done", "c ready", "c runs",
              "at 20", "c done", "a ready", "a runs", "at 30", "a done");
  CHECK_EQ(sim::clock::get().jumps, 3);
}

TEST_CASE("microseconds, milliseconds and seconds last as long as they say") {
  struct all_units : coroutine<all_units, timed> {
    point step(point at) {
      BATON_BEGIN();
      BATON_DELAY_US(500);
      MARK("us", static_cast<uint32_t>(port::now() / microseconds(4) * 4));
      BATON_DELAY_MS(500);
      MARK("ms", now_ms());
      BATON_DELAY_S(5);
      MARK("ms", now_ms());
      BATON_END();
    }
  };
  all_units a;
  a.start();
  test::recorder::get().start();
  sim::clock::get().trace = nullptr;
  scheduler::run();
  CHECK_TRACE("us 500", "ms 500", "ms 5500");
}

TEST_CASE("a delay of nothing lets the others run first") {
  napping a(0), b(0);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run();
  CHECK_TRACE("a ready", "b ready", "a runs", "a waits", "a ready", "b runs", "b waits", "b ready", "a runs", "at 0",
              "a done", "b runs", "at 0", "b done");
  CHECK_EQ(sim::clock::get().jumps, 0);
}

TEST_CASE("a drum wait until does not drift") {
  drum a;
  a.start();
  NAME(a);
  scheduler::run();
  CHECK_TRACE("a runs", "a waits", "a ready", "a runs", "at 10", "a waits", "a ready", "a runs", "at 20", "a waits",
              "a ready", "a runs", "at 30", "a done");
}

TEST_CASE("a due time that is past lets the others run first, and time does not go back") {
  struct late : coroutine<late, timed> {
    point step(point at) {
      BATON_BEGIN();
      sim::advance(milliseconds(50));
      BATON_DELAY_UNTIL(milliseconds(20).ticks());
      MARK("at", now_ms());
      BATON_END();
    }
  };
  late a;
  napping b(10);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run();
  CHECK_TRACE("a ready", "b ready", "a runs", "a waits", "a ready", "b runs", "b waits", "a runs", "at 50", "a done",
              "b ready", "b runs", "at 60", "b done");
}

TEST_CASE("one waiter with a deadline in an hour: virtual time makes exactly one jump") {
  channel<uint8_t> pipe;
  patient<deadline> a(pipe);
  NAME(a);
  NAME(pipe);
  a.start();
  scheduler::run();
  CHECK_EQ(sim::clock::get().jumps, 1);
  CHECK(port::now() == hours(1));
  CHECK_TRACE("a ready", "a runs", "a waits pipe", "a ready", "a runs", "status 4", "a done");
}

TEST_CASE("a suspended coroutine is not stepped, however long the others run") {
  struct spinner : coroutine<spinner> {
    point step(point at) {
      BATON_BEGIN();
      for (;;) BATON_YIELD();
      BATON_END();
    }
  };
  static uint32_t steps_while_suspended;
  steps_while_suspended = 0;
  channel<uint8_t> pipe;
  patient<deadline> a(pipe);
  napping b(60000);
  spinner c;
  a.start();
  b.start();
  c.start();
  scheduler::run_for(3);
  sim::clock::get().trace = [](transition what, const job* who, const void*) {
    if (what == transition::run && who->at & suspended) ++steps_while_suspended;
  };
  for (uint8_t i = 0; i < 100; ++i) scheduler::run_for(10000);
  CHECK_EQ(steps_while_suspended, 0);
  CHECK_EQ(sim::clock::get().jumps, 0);
}

TEST_CASE("a delay of hours lasts hours, and not a tick more") {
  long_sleeper a;
  a.start();
  scheduler::run();
  CHECK(a.is_done());
  CHECK(a.woken_at == hours(5));
  CHECK(port::now() == static_cast<tick>(hours(5) + milliseconds(1)));
}

TEST_CASE("a cancelled delay of hours has ended, between laps too") {
  for (uint8_t hour = 0; hour < 5; ++hour) {
    test::start_fresh();
    long_sleeper a;
    a.start();
    scheduler::run_until_idle();
    for (uint8_t i = 0; i < hour; ++i) {
      sim::advance(hours(1));
      scheduler::run_until_idle();
    }
    sim::advance(milliseconds(1));
    CHECK_WITH(a.cancel(), hour);
    scheduler::run();
    CHECK_WITH(a.woken_at == static_cast<tick>(hours(hour) + milliseconds(1)), hour);
    CHECK(a.is_done());
  }
}

TEST_CASE("a delay of hours is cancelled at the moment of a lap") {
  long_sleeper a;
  a.start();
  scheduler::run_until_idle();
  sim::advance(is_small ? static_cast<tick>(1) << (sizeof(tick) * 8 - 2)
                        : hours(1));  // the timer is due, and the coroutine has not run yet
  CHECK(a.cancel());
  scheduler::run();
  CHECK(a.is_done());
}

TEST_CASE("a restart in a delay of hours leaves no hours behind") {
  struct changing : coroutine<changing, long_timed> {
    point step(point at) {
      BATON_BEGIN();
      if (again) {
        BATON_DELAY_UNTIL(port::now() + milliseconds(1));
        woken_ms = now_ms();
      } else {
        BATON_DELAY_S(5 * 3600);
      }
      BATON_END();
    }
    bool again = false;
    uint32_t woken_ms = 0;
  };
  changing a;
  a.start();
  scheduler::run_until_idle();
  a.again = true;
  a.restart();
  scheduler::run();
  CHECK(a.is_done());
  CHECK_EQ(a.woken_ms, 1);
}

TEST_CASE("deadlines are kept where the clock wraps") {
  sim::clock::get().now = static_cast<tick>(0) - milliseconds(5);
  napping a(3), b(10), c(7);
  NAME(a);
  NAME(b);
  NAME(c);
  a.start();
  b.start();
  c.start();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "c ready", "a runs", "a waits", "b runs", "b waits", "c runs", "c waits");
  sim::clock::get().trace = nullptr;
  scheduler::run();
  CHECK(port::now() == milliseconds(5));
  CHECK(a.is_done());
  CHECK(b.is_done());
  CHECK(c.is_done());
}

TEST_CASE("the longest delay does not overtake a timer that is overdue") {
  struct longest : coroutine<longest, timed> {
    point step(point at) {
      BATON_BEGIN();
      sim::advance(milliseconds(20));
      BATON_DELAY_UNTIL(port::now() + longest_delay);
      BATON_END();
    }
  };
  napping a(10);
  longest b;
  a.start();
  b.start();
  scheduler::run_until_idle();
  CHECK(a.is_done());
}

TEST_CASE("a run-time delay beyond the clock's range is trapped") {
  if (longest_delay / port::ticks_per_second >= UINT32_MAX) return;
  volatile uint32_t too_long = 10000;
  CHECK_TRAPS(delay_too_long, static_cast<void>(seconds(too_long)));
}
