// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

struct steps : coroutine<steps> {
  point step(point at) {
    BATON_BEGIN();
    MARK("one");
    BATON_YIELD();
    MARK("two");
    BATON_YIELD();
    MARK("three");
    BATON_END();
  }
};

struct prepared : coroutine<prepared> {
  void setup() { ++setups; }
  point step(point at) {
    BATON_BEGIN();
    BATON_SUSPEND();
    BATON_END();
  }
  uint8_t setups = 0;
};

struct awaiter : coroutine<awaiter> {
  point step(point at) {
    BATON_BEGIN();
    BATON_AWAIT((++looks, open));
    MARK("open");
    BATON_AWAIT(open);
    MARK("at once");
    BATON_END();
  }
  bool open = false;
  uint8_t looks = 0;
};

struct resting : coroutine<resting> {
  point step(point at) {
    BATON_BEGIN();
    BATON_SUSPEND();
    MARK("resumed");
    BATON_END();
  }
};

struct again : coroutine<again> {
  point step(point at) {
    BATON_BEGIN();
    ++begun;
    if (begun < 3) BATON_RESTART();
    BATON_END();
  }
  uint8_t begun = 0;
};

struct napping : coroutine<napping, timed> {
  point step(point at) {
    BATON_BEGIN();
    BATON_DELAY_MS(10);
    MARK("woken at", port::now() / milliseconds(1));
    BATON_YIELD();
    BATON_END();
  }
};

}  // namespace

TEST_CASE("a body goes on behind its wait points, and ends once") {
  steps a;
  NAME(a);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "one", "a runs", "two", "a runs", "three", "a done");
  CHECK(a.is_done());
  scheduler::run();
  a.start();
  a.resume();
  a.suspend();
  CHECK(!a.cancel());
  scheduler::run();
  CHECK_TRACE();
}

TEST_CASE("a restart runs an ended body again, and a body half way from its beginning") {
  steps a;
  NAME(a);
  a.start();
  scheduler::run_for(2);
  a.restart();
  CHECK_TRACE("a ready", "a runs", "one", "a runs", "two", "a ready");
  scheduler::run();
  CHECK_TRACE("a runs", "one", "a runs", "two", "a runs", "three", "a done");
  a.restart();
  CHECK(!a.is_done());
  scheduler::run_one();
  CHECK_TRACE("a ready", "a runs", "one");
}

TEST_CASE("a body restarts itself after the other ready jobs") {
  again a;
  steps b;
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run();
  CHECK_EQ(a.begun, 3);
  CHECK_TRACE("a ready", "b ready", "a runs", "b runs", "one", "a runs", "b runs", "two", "a runs", "a done", "b runs",
              "three", "b done");
}

TEST_CASE("setup is called once, whatever follows") {
  prepared a;
  CHECK_EQ(a.setups, 0);
  a.start();
  CHECK_EQ(a.setups, 1);
  a.start();
  a.suspend();
  a.start();
  a.resume();
  scheduler::run();
  a.start();
  a.restart();
  scheduler::run();
  a.resume();
  scheduler::run();
  CHECK(a.is_done());
  a.start();
  CHECK_EQ(a.setups, 1);
}

TEST_CASE("a coroutine that was never started does nothing, and may be told anything") {
  steps a;
  NAME(a);
  a.resume();
  a.suspend();
  CHECK(!a.cancel());
  scheduler::run();
  CHECK_TRACE();
  a.start();
  scheduler::run_one();
  CHECK_TRACE("a ready", "a runs", "one");
}

TEST_CASE("an await looks at its condition once a round, and not at all before it is reached") {
  awaiter a;
  NAME(a);
  a.start();
  CHECK_EQ(a.looks, 0);
  scheduler::run_for(3);
  CHECK_EQ(a.looks, 3);
  a.open = true;
  scheduler::run();
  CHECK_EQ(a.looks, 4);
  CHECK_TRACE("a ready", "a runs", "a runs", "a runs", "a runs", "open", "at once", "a done");
}

TEST_CASE("a coroutine suspends itself until it is resumed") {
  resting a;
  NAME(a);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits");
  CHECK(!a.cancel());
  scheduler::run();
  CHECK_TRACE();
  a.resume();
  a.resume();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "resumed", "a done");
}

TEST_CASE("a suspended ready job does not run, and goes on where it was") {
  steps a, b;
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_for(2);
  a.suspend();
  a.suspend();
  scheduler::run();
  CHECK_TRACE("a ready", "b ready", "a runs", "one", "b runs", "one", "b runs", "two", "b runs", "three", "b done");
  a.resume();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "two", "a runs", "three", "a done");
}

TEST_CASE("suspending the head, the middle and the tail of the ready queue leaves the others in order") {
  for (uint8_t i = 0; i < 3; ++i) {
    steps a, b, c;
    steps* jobs[] = {&a, &b, &c};
    for (steps* j : jobs) j->start();
    scheduler::run_for(3);
    jobs[i]->suspend();
    test::recorder::get().start();
    NAME(a);
    NAME(b);
    NAME(c);
    scheduler::run_for(2);
    if (i == 0) CHECK_TRACE("b runs", "two", "c runs", "two");
    if (i == 1) CHECK_TRACE("a runs", "two", "c runs", "two");
    if (i == 2) CHECK_TRACE("a runs", "two", "b runs", "two");
  }
}

TEST_CASE("a cancelled delay ends at once, from the tail of the ready queue") {
  napping a;
  steps b;
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_for(2);
  CHECK(a.cancel());
  CHECK(!a.cancel());
  CHECK_TRACE("a ready", "b ready", "a runs", "a waits", "b runs", "one", "a ready");
  scheduler::run_for(2);
  CHECK_TRACE("b runs", "two", "a runs", "woken at 0");
}

TEST_CASE("a suspended delay does not end by itself; after a resume the coroutine goes on") {
  napping a;
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  a.suspend();
  sim::advance(milliseconds(20));
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits");
  a.resume();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "woken at 20", "a runs", "a done");
}

TEST_CASE("a destroyed coroutine leaves the ready queue and the timer list") {
  {
    napping a, b;
    a.start();
    scheduler::run_until_idle();
    b.start();
  }
  CHECK(domain::tail() == nullptr);
  CHECK(timers::first() == nullptr);
  scheduler::run();
}

TEST_CASE("a coroutine must not suspend, cancel or restart itself by the functions for others") {
  struct own_worst_enemy : coroutine<own_worst_enemy> {
    point step(point at) {
      BATON_BEGIN();
      if (what == 0) suspend();
      if (what == 1) cancel();
      if (what == 2) restart();
      BATON_END();
    }
    uint8_t what = 0;
  };
  for (uint8_t i = 0; i < 3; ++i) {
    own_worst_enemy a;
    a.what = i;
    a.start();
    CHECK_TRAPS(call_on_running_coroutine, scheduler::run());
  }
}

TEST_CASE("a coroutine has its bytes and no more") {
  CHECK_EQ(sizeof(steps), sizeof(void*) == 2 ? 5 : sizeof(void*) * 3);
}
