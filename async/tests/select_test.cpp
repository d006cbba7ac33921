// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/text.hpp>

using namespace baton;
using async::selection;
using async::task;
using text = test::text_sink<32>;

namespace {

/// Adds the selection as two characters.
void say(text& to, selection s) {
  static const char letters[] = "kfeXtcpTn";
  to += static_cast<char>('0' + s.index);
  to += letters[static_cast<uint8_t>(s.status)];
}

struct fixture {
  channel<int> numbers;
  channel<int> results;
  baton::signal bell;
  text order;
  async::scope s;
};

}  // namespace

TEST_CASE(
    "a select takes the first that is possible, in the order in which it is written, and waits for the first of all") {
  fixture f;
  f.bell.set();
  f.s.spawn([](fixture& on) -> task<> {
    int n = 0;
    say(on.order, co_await async::select(on.numbers.receive(n), on.bell.wait()));
    selection got = co_await async::select(on.bell.wait(), on.numbers.receive(n));
    say(on.order, got);
    on.order += static_cast<char>('0' + n);
    const int out = 9;
    say(on.order, co_await async::select(on.bell.wait(), on.results.send(out)));
  }(f));
  scheduler::run_until_idle();
  CHECK_TEXT(f.order, "1k");
  CHECK_EQ(f.numbers.try_send(7), status::ok);
  f.bell.set();  // too late for the select, which has left the list of the bell
  scheduler::run_until_idle();
  CHECK_TEXT(f.order, "1k1k70k");
  CHECK_EQ(f.s.running(), 0u);
  CHECK(!f.bell.try_take());
}

TEST_CASE("a select with a deadline, with a token, in a scope that is stopped, on what is closed") {
  fixture f;
  async::stop_source user;
  f.s.spawn([](fixture& on, async::stop_token t) -> task<> {
    int n = 0;
    selection s = co_await async::within(milliseconds(2), async::select(on.numbers.receive(n), on.bell.wait()));
    on.order += s.status == status::timed_out ? 't' : '?';
    s = co_await async::until_stop(t, async::select(on.numbers.receive(n), on.bell.wait()));
    on.order += s.status == status::cancelled ? 'u' : '?';
    say(on.order, co_await async::select(on.bell.wait(), on.results.receive(n)));  // closed while it waits
    say(on.order, co_await async::select(on.bell.wait(), on.results.receive(n)));  // closed before
    s = co_await async::select(on.numbers.receive(n), on.bell.wait());
    on.order += s.status == status::cancelled ? 'c' : '?';
    s = co_await async::select(on.numbers.receive(n), on.bell.wait());
    on.order += s.status == status::cancelled ? 'c' : '?';
  }(f, user.token()));
  scheduler::run();
  user.stop();
  scheduler::run();
  f.results.close();
  scheduler::run();
  CHECK_TEXT(f.order, "tu1X1X");
  f.s.stop();
  scheduler::run();
  CHECK_TEXT(f.order, "tu1X1Xcc");
  CHECK_EQ(f.s.running(), 0u);
  CHECK_EQ(f.numbers.try_send(1), status::full);  // no waiter is left in the lists
  f.bell.set();
  CHECK(f.bell.try_take());
}

TEST_CASE("a stop after a case was handed over comes too late") {
  fixture f;
  f.s.spawn([](fixture& on) -> task<> {
    int n = 0;
    say(on.order, co_await async::select(on.bell.wait(), on.numbers.receive(n)));
    on.order += static_cast<char>('0' + n);
  }(f));
  scheduler::run_until_idle();
  CHECK_EQ(f.numbers.try_send(4), status::ok);
  f.s.stop();
  scheduler::run_until_idle();
  CHECK_TEXT(f.order, "1k4");
}

TEST_CASE("a select that is destroyed: waiting, handed a value, handed a lock, woken") {
  fixture f;
  async::mutex m;
  CHECK(m.try_lock());
  auto body = [](fixture& on, async::mutex& at) -> task<> {
    int n = 0;
    static_cast<void>(co_await async::select(on.bell.wait(), on.numbers.receive(n), at.lock()));
  };
  for (int i = 0; i < 4; ++i) f.s.spawn(body(f, m));
  scheduler::run_until_idle();
  const uint16_t lost = dropped_values();
  CHECK_EQ(f.numbers.try_send(4), status::ok);
  m.unlock();
  f.bell.set();
  f.s.destroy_all();
  CHECK_EQ(dropped_values() - lost, 1);
  CHECK(!m.is_locked());
  CHECK(!scheduler::run_one());
  CHECK_EQ(f.numbers.try_send(4), status::full);
  f.bell.set();
  CHECK(f.bell.try_take());
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a select that was woken and is destroyed before it ran, after its case has run") {
  fixture f;
  f.s.spawn([](fixture& on) -> task<> {
    int n = 0;
    static_cast<void>(co_await async::select(on.bell.wait(), on.numbers.receive(n)));
  }(f));
  scheduler::run_until_idle();
  const uint16_t lost = dropped_values();
  CHECK_EQ(f.numbers.try_send(4), status::ok);
  scheduler::run_for(1);  // runs the case; its owner is next
  f.s.destroy_all();
  CHECK_EQ(dropped_values() - lost, 1);
  CHECK(!scheduler::run_one());
}

TEST_CASE("a C++20 coroutine that selects beside a stackless one: each value arrives once") {
  struct stackless : coroutine<stackless, selecting<2>> {
    explicit stackless(fixture& f) : on(f) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_SELECT(on.numbers.receive(value), on.bell.wait());
        if (result() != status::ok) break;
        if (selected() == 0) sum += value;
      }
      BATON_END();
    }
    fixture& on;
    int value = 0;
    long sum = 0;
  };
  fixture f;
  stackless other(f);
  other.start();
  long sum = 0;
  f.s.spawn([](fixture& on, long& n) -> task<> {
    int value = 0;
    for (;;) {
      selection s = co_await async::select(on.bell.wait(), on.numbers.receive(value));
      if (!s) break;
      if (s.index == 1) n += value;
    }
  }(f, sum));
  f.s.spawn([](fixture& on) -> task<> {
    for (int i = 1; i <= 1000; ++i) {
      static_cast<void>(co_await on.numbers.send(i));
      if (i % 3 == 0) on.bell.set();
    }
    on.numbers.close();
  }(f));
  scheduler::run();
  CHECK_EQ(sum + other.sum, 500500);
  CHECK(sum > 100000);
  CHECK(other.sum > 100000);
  CHECK_EQ(f.s.running(), 0u);
}
