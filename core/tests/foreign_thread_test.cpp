// SPDX-License-Identifier: MIT
#include <pthread.h>

#include <baton/test/trace.hpp>

// A thread is a domain of its own. Ports that check trap a foreign call; ports/sim does.

using namespace baton;

namespace {

/// Runs `what` on a thread of its own and returns the requirement that it broke, 0 if none.
template <typename What>
uint16_t broken_by(What what) {
  struct call {
    What what;
    uint16_t broken;
  } c = {what, 0};
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* p) -> void* {
        call& c = *static_cast<call*>(p);
        try {
          c.what();
        } catch (const test::requirement_failed& failed) {
          c.broken = failed.id;
        }
        return nullptr;
      },
      &c);
  pthread_join(thread, nullptr);
  return c.broken;
}

struct listener : coroutine<listener, waiting> {
  explicit listener(isr_signal& s) : line(s) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT(line.wait());
    MARK("heard");
    BATON_END();
  }
  isr_signal& line;
};

}  // namespace

TEST_CASE("a primitive that is used from another thread than its own is trapped") {
  channel<uint8_t> pipe;
  endpoint<uint8_t, uint8_t> desk;
  baton::signal bell;
  semaphore slots(1);
  event_flags flags;
  served<uint8_t, uint8_t> hold;
  uint8_t v = 0;
  CHECK_EQ(pipe.try_receive(v), status::empty);
  CHECK_EQ(desk.try_receive(hold), status::empty);
  bell.set();
  CHECK(slots.try_acquire());
  flags.set(1);
  CHECK_EQ(broken_by([&] { static_cast<void>(pipe.try_send(1) == status::ok); }), 102);
  CHECK_EQ(broken_by([&] { static_cast<void>(pipe.try_receive(v) == status::ok); }), 102);
  CHECK_EQ(broken_by([&] { pipe.close(); }), 102);
  CHECK_EQ(broken_by([&] { static_cast<void>(desk.try_receive(hold) == status::ok); }), 102);
  CHECK_EQ(broken_by([&] { desk.reply(hold, 1); }), 102);
  CHECK_EQ(broken_by([&] { desk.close(); }), 102);
  CHECK_EQ(broken_by([&] { bell.set(); }), 102);
  CHECK_EQ(broken_by([&] { bell.try_take(); }), 102);
  CHECK_EQ(broken_by([&] { slots.release(); }), 102);
  CHECK_EQ(broken_by([&] { flags.set(1); }), 102);
  CHECK(!pipe.is_closed());
}

TEST_CASE("a primitive belongs to the thread that uses it first, not to the one that made it") {
  channel<uint8_t, 1> pipe;
  CHECK_EQ(broken_by([&] { static_cast<void>(pipe.try_send(1) == status::ok); }), 0);
  CHECK_TRAPS(used_from_foreign_domain, static_cast<void>(pipe.try_send(1) == status::ok));
}

TEST_CASE("threads have domains of their own") {
  struct ender : coroutine<ender> {
    point step(point at) {
      BATON_BEGIN();
      BATON_YIELD();
      BATON_END();
    }
  };
  ender here_job;
  here_job.start();
  CHECK_EQ(broken_by([] {
             ender there;
             there.start();
             scheduler::run();
             BATON_REQUIRE(raised_by_test, there.is_done());
           }),
           0);
  CHECK(!here_job.is_done());
  scheduler::run();
  CHECK(here_job.is_done());
}

TEST_CASE("an interrupt's signal may be set from another thread, and wakes who waits for it") {
  isr_signal line;
  listener a(line);
  NAME(line);
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  CHECK_EQ(broken_by([&] { line.set(); }), 0);
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits line", "a ready", "a runs", "heard", "a done");
}
