// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

struct watcher : coroutine<watcher, deadline> {
  watcher(event_flags& f, uint16_t mask, bool all, bool clear = true) : flags(f) {
    what.mask = mask;
    what.all = all;
    what.clear = clear;
  }
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(milliseconds(10), flags.wait(what));
    if (result() == status::ok) {
      MARK("got", what.got);
    } else {
      MARK("ended", result());
    }
    BATON_END();
  }
  event_flags& flags;
  flags_wait what;
};

struct chooser : coroutine<chooser, selecting<2, deadline>> {
  chooser(event_flags& f, uint16_t first, uint16_t second) : flags(f) {
    one.mask = first;
    two.mask = second;
  }
  point step(point at) {
    BATON_BEGIN();
    BATON_SELECT(flags.wait(one), flags.wait(two));
    MARK("chose", selected());
    BATON_END();
  }
  event_flags& flags;
  flags_wait one, two;
};

}  // namespace

TEST_CASE("a wait for any flag ends at the first, and clears what it got") {
  event_flags f;
  watcher a(f, 0x0006, false);
  NAME(f);
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  f.set(0x0011);
  CHECK_TRACE("a ready", "a runs", "a waits f");
  f.set(0x8002);
  CHECK_EQ(f.flags(), 0x8011);
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "got 2", "a done");
}

TEST_CASE("a wait for all flags ends when all are set, in whatever order") {
  event_flags f;
  watcher a(f, 0x0003, true);
  a.start();
  scheduler::run_until_idle();
  f.set(0x0002);
  CHECK_EQ(f.flags(), 0x0002);
  f.clear(0x0002);
  f.set(0x0001);
  CHECK_EQ(f.flags(), 0x0001);
  f.set(0x0002);
  CHECK_EQ(f.flags(), 0);
  scheduler::run_until_idle();
  CHECK_EQ(a.what.got, 0x0003);
}

TEST_CASE("a wait that does not clear leaves the flags for the others") {
  event_flags f;
  watcher a(f, 1, false, false), b(f, 1, false, true), c(f, 1, false);
  NAME(a);
  NAME(b);
  NAME(c);
  a.start();
  b.start();
  c.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  f.set(1);
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "a runs", "got 1", "a done", "b runs", "got 1", "b done");
}

TEST_CASE("flags that are set already end the wait at once") {
  event_flags f;
  f.set(5);
  watcher a(f, 4, false);
  NAME(a);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "got 4", "a done");
  CHECK_EQ(f.flags(), 1);
  flags_wait now;
  now.mask = 3;
  CHECK(f.try_wait(now));
  CHECK_EQ(now.got, 1);
  CHECK(!f.try_wait(now));
}

TEST_CASE("a wait for flags times out with nothing taken") {
  event_flags f;
  watcher a(f, 3, true);
  a.start();
  scheduler::run_until_idle();
  f.set(1);
  scheduler::run();
  CHECK_EQ(a.result(), status::timed_out);
  CHECK_EQ(f.flags(), 1);
}

TEST_CASE("waiters that are not satisfied keep their order") {
  event_flags f;
  watcher a(f, 1, false), b(f, 2, false), c(f, 1, false), d(f, 2, false);
  NAME(a);
  NAME(b);
  NAME(c);
  NAME(d);
  a.start();
  b.start();
  c.start();
  d.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  f.set(2);
  f.set(1);
  f.set(2);
  f.set(1);
  CHECK_TRACE("b ready", "a ready", "d ready", "c ready");
}

TEST_CASE("a select with two cases on the flags takes one, and the others keep their order") {
  event_flags f;
  chooser x(f, 1, 8);
  watcher a(f, 2, false), b(f, 2, false);
  NAME(a);
  NAME(b);
  NAME(x);
  x.start();
  a.start();
  b.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  f.set(9);
  CHECK_EQ(f.flags(), 8);
  f.set(2);
  f.set(2);
  scheduler::run_until_idle();
  CHECK_TRACE("x's case ready", "a ready", "b ready", "x's case runs", "x ready", "x runs", "chose 0", "x done",
              "a runs", "got 2", "a done", "b runs", "got 2", "b done");
}
