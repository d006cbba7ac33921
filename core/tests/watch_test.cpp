// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

struct reader : coroutine<reader, deadline> {
  explicit reader(watch<uint16_t>& w) : of(w) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(milliseconds(10), of.changed(seen));
      if (result() != status::ok) break;
      MARK("reads", of.read(seen));
      if (is_slow) BATON_DELAY_MS(5);
    }
    MARK("ended", result());
    BATON_END();
  }
  watch<uint16_t>& of;
  watch_reader seen;
  bool is_slow = false;
};

}  // namespace

TEST_CASE("a new value wakes every reader that waits, oldest first") {
  watch<uint16_t> w;
  reader a(w), b(w);
  NAME(w);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  w.set(7);
  CHECK_TRACE("a ready", "b ready", "a runs", "a waits w", "b runs", "b waits w", "a ready", "b ready");
  scheduler::run_until_idle();
  CHECK_TRACE("a runs", "reads 7", "a waits w", "b runs", "reads 7", "b waits w");
  CHECK_EQ(w.get(), 7);
}

TEST_CASE("a reader that comes late reads the latest value, once") {
  watch<uint16_t> w;
  reader a(w);
  NAME(w);
  NAME(a);
  w.set(1);
  w.set(2);
  a.start();
  scheduler::run_until_idle();
  w.set(3);
  w.set(4);
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "a runs", "reads 2", "a waits w", "a ready", "a runs", "reads 4", "a waits w");
}

TEST_CASE("a reader that has read waits for the next value, also for an equal one; get marks nothing") {
  watch<uint16_t> w(5);
  watch_reader r;
  CHECK_EQ(w.get(), 5);
  CHECK(!w.has_changed(r));  // nobody has set it
  w.set(5);
  CHECK_EQ(w.get(), 5);
  CHECK(w.has_changed(r));
  CHECK_EQ(w.read(r), 5);
  CHECK(!w.has_changed(r));
  w.set(5);
  CHECK(w.has_changed(r));
}

TEST_CASE("a slow reader misses the values between, and a quick one beside it none") {
  watch<uint16_t> w;
  reader quick(w), slow(w);
  slow.is_slow = true;
  NAME(quick);
  NAME(slow);
  quick.start();
  slow.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  for (uint16_t n = 1; n <= 4; ++n) {
    w.set(n);
    scheduler::run_until_idle();
    sim::advance(milliseconds(2));
  }
  scheduler::run_until_idle();
  CHECK_TRACE("quick ready", "slow ready", "quick runs", "reads 1", "quick waits ?", "slow runs", "reads 1",
              "slow waits", "quick ready", "quick runs", "reads 2", "quick waits ?", "quick ready", "quick runs",
              "reads 3", "quick waits ?", "quick ready", "slow ready", "quick runs", "reads 4", "quick waits ?",
              "slow runs", "reads 4", "slow waits");
}

TEST_CASE("a wait that times out has read nothing, and one on a destroyed watch is closed") {
  union mortal {
    mortal() : w() {}
    ~mortal() {}
    watch<uint16_t> w;
  } gone;
  reader a(gone.w), b(gone.w);
  a.start();
  scheduler::run();
  CHECK_EQ(a.result(), status::timed_out);
  gone.w.set(9);
  CHECK(gone.w.has_changed(a.seen));
  b.start();
  scheduler::run_until_idle();
  CHECK(!gone.w.has_changed(b.seen));
  gone.w.~watch();
  scheduler::run_until_idle();
  CHECK_EQ(b.result(), status::closed);
}

TEST_CASE("a change may be the case of a select, and stays for the next one if another case wins") {
  struct chooser : coroutine<chooser, selecting<2>> {
    chooser(watch<uint16_t>& w, baton::signal& s) : of(w), bell(s) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_SELECT(bell.wait(), of.changed(seen));
        MARK("chose", selected());
        if (selected() == 1) MARK("reads", of.read(seen));
      }
      BATON_END();
    }
    watch<uint16_t>& of;
    baton::signal& bell;
    watch_reader seen;
  };
  watch<uint16_t> w;
  baton::signal bell;
  chooser a(w, bell);
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  bell.set();
  w.set(3);
  scheduler::run_until_idle();
  CHECK_TRACE("a's case ready", "a's case runs", "a ready", "a runs", "chose 0", "chose 1", "reads 3",
              "a's case waits ?", "a's case waits ?", "a selects");
}

TEST_CASE("a version that wraps is never that of a reader that has read nothing") {
  watch<uint16_t> w;
  watch_reader fresh;
  if (sizeof(unsigned) > 2) return;  // too many for a test
  for (uint16_t n = 0; n < UINT16_MAX; ++n) w.set(n);
  CHECK(w.has_changed(fresh));
  w.set(1);
  CHECK(w.has_changed(fresh));
}
