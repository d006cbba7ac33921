// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/text.hpp>

using namespace baton;
using async::task;
using text = test::text_sink<32>;

namespace {

task<> wait_for(async::manual_event& e, text& order, char name) {
  order += co_await e.wait() == status::ok ? name : '-';
}

/// A stackless coroutine at the same event.
struct waits : coroutine<waits, waiting> {
  waits(async::manual_event& e, text& o) : event(e), order(o) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT(event.wait());
    order += 's';
    BATON_END();
  }
  async::manual_event& event;
  text& order;
};

}  // namespace

TEST_CASE(
    "a manual event wakes all who wait, of both kinds, in their order, and lets everybody through until it is reset") {
  async::manual_event e;
  text order;
  async::scope s;
  waits stackless(e, order);
  s.spawn(wait_for(e, order, 'a'));
  scheduler::run_until_idle();
  stackless.start();
  scheduler::run_until_idle();
  s.spawn(wait_for(e, order, 'b'));
  scheduler::run_until_idle();
  CHECK_TEXT(order, "");
  e.set();
  e.reset();  // too late for the coroutines that were woken
  scheduler::run_until_idle();
  CHECK_TEXT(order, "asb");
  s.spawn(wait_for(e, order, 'c'));
  scheduler::run_until_idle();
  CHECK_TEXT(order, "asb");
  e.set();
  s.spawn(wait_for(e, order, 'd'));
  scheduler::run_until_idle();
  CHECK_TEXT(order, "asbcd");
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("an event that is destroyed under its waiters, one that is cancelled, one that comes too late") {
  text order;
  async::scope s;
  {
    async::manual_event e;
    s.spawn(wait_for(e, order, 'a'));
    scheduler::run_until_idle();
  }
  scheduler::run_until_idle();
  CHECK_TEXT(order, "-");
  async::manual_event e;
  s.spawn([](async::manual_event& on, text& to) -> task<> {
    to += co_await async::within(milliseconds(5), on.wait()) == status::timed_out ? 't' : '?';
    to += co_await async::within(milliseconds(5), on.wait()) == status::ok ? 'k' : '?';
    to += co_await on.wait() == status::ok ? 'k' : '?';
    co_await async::sleep_for(milliseconds(5));
    to += co_await on.wait() == status::cancelled ? 'c' : '?';
  }(e, order));
  s.spawn([](async::manual_event& on) -> task<> {
    co_await async::sleep_for(milliseconds(7));
    on.set();
    co_await async::sleep_for(milliseconds(1));
    on.reset();
  }(e));
  s.spawn([](async::scope& all) -> task<> {
    co_await async::sleep_for(milliseconds(20));
    all.stop();
  }(s));
  scheduler::run();
  CHECK_TEXT(order, "-tkkc");  // the third wait found it set; the fourth found it reset, and was stopped
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("an auto event lets one through for each set, and keeps one") {
  async::auto_event e;
  int through = 0;
  async::scope s;
  for (int i = 0; i < 3; ++i) {
    s.spawn([](async::auto_event& on, int& n) -> task<> {
      if (co_await on.wait() == status::ok) ++n;
    }(e, through));
  }
  scheduler::run_until_idle();
  e.set();
  scheduler::run_until_idle();
  CHECK_EQ(through, 1);
  e.set();
  e.set();
  e.set();
  scheduler::run_until_idle();
  CHECK_EQ(through, 3);
  CHECK(e.try_take());
  CHECK(!e.try_take());
}
