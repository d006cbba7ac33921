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
    BATON_END();
  }
};

struct napping : coroutine<napping, timed> {
  point step(point at) {
    BATON_BEGIN();
    MARK("begun");
    BATON_DELAY_MS(10);
    MARK("woken at", port::now() / milliseconds(1));
    BATON_END();
  }
};

struct receiver : coroutine<receiver, waiting> {
  explicit receiver(channel<uint8_t>& from) : source(from) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT(source.receive(value));
    MARK("received, status", result());
    BATON_END();
  }
  channel<uint8_t>& source;
  uint8_t value = 0;
};

}  // namespace

TEST_CASE("a direct resume runs one step without the scheduler, and nothing once the body has ended") {
  steps a;
  NAME(a);
  a.direct_resume();
  CHECK_TRACE("one");
  a.direct_resume();
  CHECK_TRACE("two", "a done");
  a.direct_resume();
  a.direct_resume();
  CHECK_TRACE();
  CHECK(a.is_done());
}

TEST_CASE("an ended coroutine that is restarted may be resumed directly again") {
  steps a;
  a.direct_resume();
  a.direct_resume();
  CHECK(a.is_done());
  a.restart();
  a.suspend();
  test::recorder::get().start();
  a.direct_resume();
  CHECK_TRACE("one");
}

TEST_CASE("after a delay the scheduler goes on with a coroutine that was resumed directly") {
  napping a;
  NAME(a);
  a.direct_resume();
  CHECK_TRACE("begun", "a waits");
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "woken at 10", "a done");
}

TEST_CASE("a direct resume of a coroutine that delays does nothing") {
  napping a;
  NAME(a);
  a.direct_resume();
  a.direct_resume();
  a.direct_resume();
  CHECK_TRACE("begun", "a waits");
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "woken at 10", "a done");
}

TEST_CASE("after a wait the scheduler goes on with a coroutine that was resumed directly") {
  channel<uint8_t> pipe;
  receiver a(pipe);
  NAME(a);
  NAME(pipe);
  a.direct_resume();
  CHECK_TRACE("a waits pipe");
  CHECK_EQ(pipe.try_send(3), status::ok);
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "received, status 0", "a done");
  CHECK_EQ(a.value, 3);
}

TEST_CASE("a direct resume of a coroutine that waits does nothing") {
  channel<uint8_t> pipe;
  receiver a(pipe);
  NAME(a);
  NAME(pipe);
  a.direct_resume();
  a.direct_resume();
  CHECK_TRACE("a waits pipe");
  CHECK_EQ(pipe.try_send(3), status::ok);
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "received, status 0", "a done");
}

TEST_CASE("a coroutine that was resumed directly goes on when its channel is closed already") {
  channel<uint8_t> pipe;
  pipe.close();
  receiver a(pipe);
  NAME(a);
  NAME(pipe);
  a.direct_resume();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "received, status 3", "a done");
}

TEST_CASE("a job resumes another one directly, and stays the running one") {
  struct outer : coroutine<outer> {
    explicit outer(steps& other) : inner(other) {}
    point step(point at) {
      BATON_BEGIN();
      inner.direct_resume();
      BATON_YIELD();
      inner.direct_resume();
      MARK("outer ends");
      BATON_END();
    }
    steps& inner;
  };
  steps a;
  outer b(a);
  NAME(a);
  NAME(b);
  b.start();
  scheduler::run();
  CHECK_TRACE("b ready", "b runs", "one", "b runs", "two", "a done", "outer ends", "b done");
}

TEST_CASE(
    "a direct resume goes on with a coroutine that suspended itself, and its next wait leaves the ready jobs alone") {
  struct sleeper : coroutine<sleeper, waiting> {
    explicit sleeper(channel<uint8_t>& from) : source(from) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_SUSPEND();
      MARK("resumed");
      BATON_WAIT(source.receive(value));
      MARK("received", value);
      BATON_END();
    }
    channel<uint8_t>& source;
    uint8_t value = 0;
  };
  channel<uint8_t> pipe;
  sleeper a(pipe);
  steps b;
  NAME(a);
  NAME(b);
  NAME(pipe);
  a.start();
  scheduler::run_until_idle();
  b.start();
  CHECK_TRACE("a ready", "a runs", "a waits", "b ready");
  a.direct_resume();
  CHECK_TRACE("resumed", "a waits pipe");
  CHECK_EQ(pipe.try_send(3), status::ok);
  scheduler::run();
  CHECK_TRACE("a ready", "b runs", "one", "a runs", "received 3", "a done", "b runs", "two", "b done");
}
