// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

/// Holds the mutex for a delay.
struct worker : coroutine<worker, deadline> {
  explicit worker(mutex& m) : bus(m) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(milliseconds(patience), bus.lock(lock));
    MARK("lock", result());
    BATON_WHILE_LOCKED(lock) {
      BATON_DELAY_MS(2);
      MARK("worked");
    }
    BATON_END();
  }
  mutex& bus;
  mutex_lock lock;
  uint16_t patience = 100;
};

/// Keeps the mutex until it ends.
struct own_keeper : coroutine<own_keeper, locking<deadline>> {
  explicit own_keeper(mutex& m) : bus(m) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT(bus.lock(lock_));
    MARK("has it");
    BATON_SUSPEND();
    BATON_END();
  }
  mutex& bus;
};

}  // namespace

TEST_CASE("one job at a time holds the mutex, across a delay, and the oldest waiter is next") {
  mutex m;
  worker a(m), b(m), c(m);
  NAME(m);
  NAME(a);
  NAME(b);
  NAME(c);
  a.start();
  b.start();
  c.start();
  scheduler::run();
  CHECK_TRACE("a ready", "b ready", "c ready", "a runs", "lock 0", "a waits", "b runs", "b waits m", "c runs",
              "c waits m", "a ready", "a runs", "worked", "b ready", "a done", "b runs", "lock 0", "b waits", "b ready",
              "b runs", "worked", "c ready", "b done", "c runs", "lock 0", "c waits", "c ready", "c runs", "worked",
              "c done");
  CHECK(!m.is_locked());
}

TEST_CASE("a try locks a free mutex alone, and nobody overtakes a waiter") {
  mutex m;
  mutex_lock first, second;
  CHECK(m.try_lock(first));
  CHECK(first.is_held());
  CHECK(!m.try_lock(second));
  CHECK(!second.is_held());
  worker a(m);
  a.start();
  scheduler::run_until_idle();
  first.unlock();
  CHECK(!first.is_held());
  CHECK(a.lock.is_held());  // handed over before `a` runs
  CHECK(!m.try_lock(first));
  first.unlock();  // holds nothing, so nothing happens
  CHECK(m.is_locked());
  scheduler::run();
  CHECK(!m.is_locked());
}

TEST_CASE("a wait that times out or is cancelled holds nothing, and its block does not run") {
  mutex m;
  mutex_lock mine;
  CHECK(m.try_lock(mine));
  worker a(m), b(m), c(m);
  NAME(a);
  NAME(b);
  NAME(c);
  a.patience = 5;
  a.start();
  b.start();
  c.start();
  scheduler::run_until_idle();
  CHECK(b.cancel());
  sim::advance(milliseconds(6));
  test::recorder::get().clear();
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b runs", "lock 5", "b done", "a runs", "lock 4", "a done");
  mine.unlock();
  CHECK(!c.cancel());  // too late
  CHECK(c.lock.is_held());
  scheduler::run();
  CHECK_EQ(c.result(), status::ok);
  CHECK(!m.is_locked());
}

TEST_CASE("break and continue leave the block and unlock") {
  struct leaver : coroutine<leaver, waiting> {
    leaver(mutex& m, bool by_break) : bus(m), breaks(by_break) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(bus.lock(lock));
      BATON_WHILE_LOCKED(lock) {
        ++entered;
        BATON_YIELD();
        if (breaks) break;
        if (!breaks) continue;
        entered = 100;
      }
      BATON_END();
    }
    mutex& bus;
    mutex_lock lock;
    bool breaks;
    uint8_t entered = 0;
  };
  mutex m;
  leaver a(m, true), b(m, false);
  a.start();
  b.start();
  scheduler::run();
  CHECK(a.is_done());
  CHECK(b.is_done());
  CHECK_EQ(a.entered, 1);
  CHECK_EQ(b.entered, 1);
  CHECK(!m.is_locked());
}

TEST_CASE("a lock that is destroyed hands the mutex on, also between the hand-over and the run of its job") {
  mutex m;
  worker c(m);
  {
    mutex_lock mine;
    CHECK(m.try_lock(mine));
    {
      worker b(m);
      b.start();
      scheduler::run_until_idle();
      c.start();
      scheduler::run_until_idle();
      mine.unlock();
      CHECK(b.lock.is_held());
    }
    CHECK(c.lock.is_held());
  }
  scheduler::run();
  CHECK(c.is_done());
  CHECK(!m.is_locked());
}

TEST_CASE("the base locking gives the mutex back at a restart, at the end and when it is destroyed") {
  mutex m;
  worker next(m);
  {
    own_keeper a(m);
    NAME(a);
    a.start();
    scheduler::run_until_idle();
    CHECK(m.is_locked());
    a.restart();
    CHECK(!m.is_locked());
    scheduler::run_until_idle();
    CHECK(m.is_locked());
    a.resume();
    scheduler::run_until_idle();
    CHECK(a.is_done());
    CHECK(!m.is_locked());
    a.restart();
    scheduler::run_until_idle();
    next.start();
    scheduler::run_until_idle();
    CHECK(!next.lock.is_held());
  }
  CHECK(next.lock.is_held());
  scheduler::run();
  CHECK(next.is_done());
}

TEST_CASE("a lock may be the case of a select") {
  struct chooser : coroutine<chooser, selecting<2>> {
    chooser(mutex& m, baton::signal& s) : bus(m), bell(s) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_SELECT(bus.lock(lock), bell.wait());
        MARK("chose", selected());
        lock.unlock();
        BATON_SUSPEND();
      }
      BATON_END();
    }
    mutex& bus;
    baton::signal& bell;
    mutex_lock lock;
  };
  mutex m;
  baton::signal bell;
  mutex_lock mine;
  CHECK(m.try_lock(mine));
  chooser a(m, bell);
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  bell.set();
  scheduler::run_until_idle();
  CHECK(!a.lock.is_held());
  mine.unlock();
  CHECK(!m.is_locked());
  CHECK(m.try_lock(mine));
  a.resume();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  mine.unlock();
  CHECK(a.lock.is_held());
  scheduler::run_until_idle();
  CHECK_TRACE("a's case ready", "a's case runs", "a ready", "a runs", "chose 0", "a waits");
  CHECK(!m.is_locked());
}

TEST_CASE("the destruction of the mutex ends the waits with closed and leaves no lock that points to it") {
  union mortal {
    mortal() : m() {}
    ~mortal() {}
    mutex m;
  } gone;
  mutex_lock mine;
  CHECK(gone.m.try_lock(mine));
  worker a(gone.m);
  a.start();
  scheduler::run_until_idle();
  gone.m.~mutex();
  CHECK(!mine.is_held());
  scheduler::run();
  CHECK_EQ(a.result(), status::closed);
  CHECK(a.is_done());
}

TEST_CASE("a lock that holds a mutex is not locked again") {
  mutex m;
  mutex_lock mine;
  CHECK(m.try_lock(mine));
  bool locked = false;
  CHECK_TRAPS(lock_that_holds_already, locked = m.try_lock(mine));
  CHECK(!locked);
}
