// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

/// Yields `turns` times, then ends.
struct turner : coroutine<turner> {
  explicit turner(uint8_t turns) : left(turns) {}

  point step(point at) {
    BATON_BEGIN();
    for (; left; --left) BATON_YIELD();
    BATON_END();
  }

  uint8_t left;
};

/// Counts its steps for ever.
struct counter : coroutine<counter> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      ++steps;
      BATON_YIELD();
    }
    BATON_END();
  }

  uint16_t steps = 0;
};

struct stopper : coroutine<stopper> {
  point step(point at) {
    BATON_BEGIN();
    scheduler::stop();
    BATON_YIELD();
    MARK("after the stop");
    BATON_END();
  }
};

struct sleeper : coroutine<sleeper, timed> {
  point step(point at) {
    BATON_BEGIN();
    BATON_DELAY_MS(5);
    MARK("slept");
    BATON_END();
  }
};

}  // namespace

TEST_CASE("jobs run first in, first out, each until it yields") {
  turner a(1), b(1), c(0);
  NAME(a);
  NAME(b);
  NAME(c);
  a.start();
  b.start();
  c.start();
  CHECK_TRACE("a ready", "b ready", "c ready");
  scheduler::run();
  CHECK_TRACE("a runs", "b runs", "c runs", "c done", "a runs", "a done", "b runs", "b done");
}

TEST_CASE("run_one runs one job and says whether there was one") {
  turner a(1);
  NAME(a);
  CHECK(!scheduler::run_one());
  a.start();
  CHECK(scheduler::run_one());
  CHECK_TRACE("a ready", "a runs");
  CHECK(scheduler::run_one());
  CHECK_TRACE("a runs", "a done");
  CHECK(!scheduler::run_one());
  CHECK_TRACE();
}

TEST_CASE("run_for runs as many steps as it is told, and no more") {
  counter a, b;
  a.start();
  b.start();
  scheduler::run_for(5);
  CHECK_EQ(a.steps, 3);
  CHECK_EQ(b.steps, 2);
  scheduler::run_for(1);
  CHECK_EQ(b.steps, 3);
  scheduler::run_for(0);
  CHECK_EQ(a.steps + b.steps, 6);
}

TEST_CASE("run_for returns early when no job is ready") {
  turner a(2);
  a.start();
  scheduler::run_for(100);
  CHECK(a.is_done());
}

TEST_CASE("run_until_idle does not wait for a timer") {
  sleeper a;
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "a runs", "a waits");
  CHECK_EQ(port::now(), 0);
  sim::advance(milliseconds(5));
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "a runs", "slept", "a done");
}

TEST_CASE("run sleeps until the timer") {
  sleeper a;
  NAME(a);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits", "a ready", "a runs", "slept", "a done");
  CHECK(port::now() == milliseconds(5));
  CHECK_EQ(sim::clock::get().jumps, 1);
}

TEST_CASE("run sleeps until a timer that the test advanced past half way") {
  sleeper a;
  a.start();
  scheduler::run_until_idle();
  sim::advance(milliseconds(2));
  scheduler::run();
  CHECK(a.is_done());
  CHECK(port::now() == milliseconds(5));
}

TEST_CASE("stop makes run return before the next job, and the next run goes on there") {
  stopper a;
  turner b(0);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run();
  CHECK_TRACE("a ready", "b ready", "a runs");
  scheduler::run();
  CHECK_TRACE("b runs", "b done", "a runs", "after the stop", "a done");
}

TEST_CASE("a stop that nobody heard does not end a later run") {
  turner a(0);
  scheduler::stop();
  a.start();
  scheduler::run();
  CHECK(a.is_done());
}

TEST_CASE("run with nothing to do returns, again and again") {
  scheduler::run();
  scheduler::run();
  scheduler::run_until_idle();
  CHECK(!scheduler::run_one());
  CHECK_EQ(sim::clock::get().jumps, 0);
}

TEST_CASE("ready jobs get the same number of turns, to within one") {
  counter jobs[5];
  for (counter& j : jobs) j.start();
  scheduler::run_for(5003);
  for (counter& j : jobs) CHECK(j.steps >= 1000);
  for (counter& j : jobs) CHECK(j.steps <= 1001);
}

TEST_CASE("a job that is made ready by the running one runs after all that were ready before") {
  struct waker : coroutine<waker> {
    explicit waker(turner& late) : other(late) {}
    point step(point at) {
      BATON_BEGIN();
      other.start();
      BATON_YIELD();
      BATON_END();
    }
    turner& other;
  };
  turner late(0), b(0);
  waker a(late);
  NAME(a);
  NAME(b);
  NAME(late);
  a.start();
  b.start();
  scheduler::run();
  CHECK_TRACE("a ready", "b ready", "a runs", "late ready", "b runs", "b done", "late runs", "late done", "a runs",
              "a done");
}
