// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

struct listener : coroutine<listener, deadline> {
  explicit listener(baton::signal& s) : bell(s) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(milliseconds(10), bell.wait());
    MARK("heard", result());
    BATON_END();
  }
  baton::signal& bell;
};

struct worker : coroutine<worker, deadline> {
  explicit worker(semaphore& s) : slots(s) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT(slots.acquire());
    MARK("has", result());
    BATON_SUSPEND();
    slots.release();
    BATON_END();
  }
  semaphore& slots;
};

}  // namespace

TEST_CASE("a signal wakes the oldest waiter, which takes it along") {
  baton::signal bell;
  listener a(bell), b(bell);
  NAME(bell);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  bell.set();
  CHECK(!bell.try_take());
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "a runs", "a waits bell", "b runs", "b waits bell", "a ready", "a runs", "heard 0",
              "a done");
}

TEST_CASE("a signal that nobody waits for stays for the next wait; two are one") {
  baton::signal bell;
  listener a(bell), b(bell);
  NAME(bell);
  NAME(a);
  NAME(b);
  bell.set();
  bell.set();
  a.start();
  b.start();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "a runs", "heard 0", "a done", "b runs", "b waits bell");
}

TEST_CASE("wake_all wakes everybody who waits, oldest first, and leaves the bit alone") {
  baton::signal bell;
  listener a(bell), b(bell);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  bell.wake_all();
  CHECK(!bell.try_take());
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "a runs", "heard 0", "a done", "b runs", "heard 0", "b done");
}

TEST_CASE("a wait for a signal has a deadline, and can be cancelled") {
  baton::signal bell;
  listener a(bell), b(bell);
  a.start();
  b.start();
  scheduler::run_until_idle();
  CHECK(b.cancel());
  scheduler::run();
  CHECK_EQ(a.result(), status::timed_out);
  CHECK_EQ(b.result(), status::cancelled);
  bell.set();
  CHECK(bell.try_take());
}

TEST_CASE("a semaphore hands out its units first in, first out") {
  semaphore slots(1);
  worker a(slots), b(slots), c(slots);
  NAME(slots);
  NAME(a);
  NAME(b);
  NAME(c);
  a.start();
  b.start();
  c.start();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "c ready", "a runs", "has 0", "a waits", "b runs", "b waits slots", "c runs",
              "c waits slots");
  CHECK_EQ(slots.units(), 0);
  CHECK(!slots.try_acquire());
  a.resume();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "a runs", "b ready", "a done", "b runs", "has 0", "b waits");
  b.resume();
  scheduler::run_until_idle();
  c.resume();
  scheduler::run_until_idle();
  CHECK_EQ(slots.units(), 1);
  CHECK(slots.try_acquire());
}

TEST_CASE("a wait for a unit that is cancelled has taken nothing") {
  semaphore slots;
  worker a(slots);
  a.start();
  scheduler::run_until_idle();
  CHECK(a.cancel());
  CHECK_EQ(slots.release(), status::ok);
  CHECK_EQ(slots.units(), 1);
  scheduler::run();
  CHECK_EQ(slots.units(), 1);
}

TEST_CASE("a unit that was handed to a job which goes away is counted as lost") {
  semaphore slots;
  {
    worker a(slots);
    a.start();
    scheduler::run_until_idle();
    CHECK_EQ(slots.release(), status::ok);
  }
  CHECK_EQ(slots.units(), 0);
  CHECK_EQ(dropped_values(), 1);
}

TEST_CASE("a semaphore is full at 65535 units") {
  semaphore slots(65534);
  CHECK_EQ(slots.release(), status::ok);
  CHECK_EQ(slots.release(), status::full);
  CHECK_EQ(slots.units(), 65535);
}
