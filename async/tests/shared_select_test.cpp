// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_endpoint.hpp>
#include <baton/async/loop.hpp>
#include <baton/async/message_queue.hpp>
#include <baton/test/check.hpp>
#include <string>

/// Selects with cross-loop cases, on one thread: the test does between two steps what another
/// thread could do at a bad moment.
using namespace baton;
using async::selection;
using async::task;

namespace {

/// Formats the selection as two characters.
std::string said(selection s) {
  static const char letters[] = "kfeXtcpTn";
  const std::string how(1, letters[static_cast<uint8_t>(s.status)]);
  return s.status == status::cancelled || s.status == status::timed_out ? how : std::to_string(s.index) + how;
}

/// Destroys the loop before the objects that its coroutines wait for.
struct fixture {
  async::cross_loop_channel<int> orders;
  async::cross_loop_channel<int, 2> stock;
  channel<int> numbers;
  baton::signal bell;
  event_flags flags;
  async::mutex lock;
  std::string order;
  async::loop l;

  /// Runs everything that is ready; messages to the loop do not arrive.
  void step() { scheduler::run_until_idle(); }
  /// Delivers the messages, and runs everything.
  void turn() {
    l.mailbox().deliver();
    step();
  }
};

}  // namespace

TEST_CASE(
    "a select takes the first that is possible, of the loop's own and of shared ones, and waits for the first of all") {
  fixture f;
  CHECK_EQ(f.stock.try_send(5), status::ok);
  f.bell.set();
  f.l.spawn([](fixture& on) -> task<> {
    int n = 0, m = 0;
    selection s = co_await async::select(on.numbers.receive(m), on.stock.receive(n), on.bell.wait());
    on.order += said(s) + std::to_string(n);
    s = co_await async::select(on.stock.receive(n), on.bell.wait());
    on.order += said(s);
    const int out = 9;
    s = co_await async::select(on.orders.receive(n), on.stock.send(out));
    on.order += said(s);
    s = co_await async::select(on.orders.receive(n), on.numbers.receive(m));  // waits
    on.order += said(s) + std::to_string(n);
    s = co_await async::select(on.orders.receive(n), on.numbers.receive(m));  // waits again
    on.order += said(s) + std::to_string(m);
  }(f));
  f.step();
  CHECK_EQ(f.order, "1k51k1k");
  CHECK_EQ(f.orders.try_send(7), status::ok);
  f.turn();
  CHECK_EQ(f.order, "1k51k1k0k7");
  CHECK_EQ(f.numbers.try_send(8), status::ok);
  CHECK_EQ(f.orders.try_send(7), status::full);  // the select has left
  f.turn();
  CHECK_EQ(f.order, "1k51k1k0k71k8");
  CHECK_EQ(f.l.all().running(), 0u);
  int left = 0;
  CHECK_EQ(f.stock.try_receive(left), status::ok);
  CHECK_EQ(left, 9);
}

TEST_CASE("after another thread has handed over, and before that has arrived, each case of the loop's own refuses") {
  fixture f;
  async::message_queue<int, 4> events;
  baton::semaphore units;
  async::manual_event open;
  isr_signal outside;
  CHECK(f.lock.try_lock());
  flags_wait what;
  what.mask = 6;
  what.all = false;
  what.clear = true;
  f.l.spawn([](fixture& on, auto& e, auto& u, auto& o, auto& i, flags_wait& w) -> task<> {
    int n = 0, m = 0, k = 0;
    const selection s = co_await async::select(on.numbers.receive(n), on.bell.wait(), on.lock.lock(), on.flags.wait(w),
                                               e.receive(k), u.acquire(), o.wait(), i.wait(), on.orders.receive(m));
    on.order += said(s) + std::to_string(m) + std::to_string(n) + std::to_string(k);
  }(f, events, units, open, outside, what));
  f.step();
  CHECK_EQ(f.orders.try_send(7), status::ok);
  CHECK_EQ(f.numbers.try_send(4), status::full);
  f.bell.set();
  f.lock.unlock();
  f.flags.set(2);
  CHECK_EQ(events.push(3), status::ok);
  CHECK_EQ(units.release(), status::ok);
  open.set();
  outside.set();
  f.step();
  CHECK_EQ(f.order, "");
  f.turn();
  CHECK_EQ(f.order, "8k700");
  CHECK(f.bell.try_take());
  CHECK(!f.lock.is_locked());
  CHECK_EQ(f.flags.flags(), 2u);
  CHECK_EQ(events.size(), 1u);
  CHECK_EQ(units.units(), 1u);
  CHECK(outside.try_take());
}

TEST_CASE("who finds a case that has been decided serves the next in the list") {
  fixture f;
  auto body = [](fixture& on, char name) -> task<> {
    int n = 0, m = 0;
    const selection s = co_await async::select(on.numbers.receive(n), on.orders.receive(m));
    on.order += name + said(s) + std::to_string(n + m);
  };
  for (char name : {'a', 'b', 'c'}) f.l.spawn(body(f, name));
  f.step();
  CHECK_EQ(f.orders.try_send(1), status::ok);   // to a, and on its way
  CHECK_EQ(f.numbers.try_send(2), status::ok);  // a refuses, so to b, which leaves both lists
  CHECK_EQ(f.orders.try_send(3), status::ok);   // to c
  CHECK_EQ(f.orders.try_send(4), status::full);
  CHECK_EQ(f.numbers.try_send(4), status::full);
  f.turn();
  CHECK_EQ(f.order, "b0k2a1k1c1k3");
}

TEST_CASE("of two cross-loop cases the second does not happen while the first is on its way") {
  fixture f;
  async::cross_loop_channel<int> others;
  f.l.spawn([](fixture& on, async::cross_loop_channel<int>& from) -> task<> {
    int n = 0, m = 0;
    const selection s = co_await async::select(from.receive(n), on.orders.receive(m), on.stock.receive(n));
    on.order += said(s) + std::to_string(n) + std::to_string(m);
  }(f, others));
  f.step();
  CHECK_EQ(f.orders.try_send(1), status::ok);
  CHECK_EQ(others.try_send(2), status::full);
  CHECK_EQ(f.stock.try_send(3), status::ok);  // stored
  others.close();
  f.turn();
  CHECK_EQ(f.order, "1k01");
  int left = 0;
  CHECK_EQ(f.stock.try_receive(left), status::ok);
  CHECK_EQ(left, 3);
}

TEST_CASE("a close that comes after the hand-over passes by; one that comes first ends the select") {
  fixture f;
  auto body = [](fixture& on) -> task<> {
    int n = 0, m = 0;
    const selection s = co_await async::select(on.numbers.receive(n), on.orders.receive(m));
    on.order += said(s) + std::to_string(m);
  };
  f.l.spawn(body(f));
  f.step();
  CHECK_EQ(f.orders.try_send(1), status::ok);
  f.numbers.close();
  f.orders.close();
  f.turn();
  CHECK_EQ(f.order, "1k1");
  f.l.spawn(body(f));
  f.l.spawn([](fixture& on) -> task<> {
    int n = 0, m = 0;
    selection s = co_await async::select(on.orders.receive(n), on.stock.receive(m));
    on.order += said(s);
    s = co_await async::select(on.stock.receive(m), on.bell.wait());
    on.order += said(s);
  }(f));
  f.turn();
  CHECK_EQ(f.order, "1k10X00X");
  f.stock.close();
  f.turn();
  CHECK_EQ(f.order, "1k10X00X0X");
  f.bell.set();
  CHECK(f.bell.try_take());
}

TEST_CASE("a closed case does not hide one that is possible") {
  fixture f;
  f.orders.close();
  f.bell.set();
  f.l.spawn([](fixture& on) -> task<> {
    int n = 0;
    on.order += said(co_await async::select(on.orders.receive(n), on.bell.wait()));
    on.order += said(co_await async::select(on.bell.wait(), on.orders.receive(n)));
  }(f));
  f.turn();
  CHECK_EQ(f.order, "1k1X");
}

TEST_CASE("deadlines, tokens and stops withdraw all cases, or come too late") {
  fixture f;
  async::stop_source user;
  f.l.spawn([](fixture& on, async::stop_token t) -> task<> {
    int n = 0, m = 0;
    on.order +=
        said(co_await async::within(milliseconds(2), async::select(on.orders.receive(n), on.numbers.receive(m))));
    on.order += said(co_await async::until_stop(t, async::select(on.orders.receive(n), on.numbers.receive(m))));
    on.order += said(co_await async::select(on.orders.receive(n), on.numbers.receive(m)));
    on.order += std::to_string(n);
    on.order += said(co_await async::select(on.orders.receive(n), on.bell.wait()));
  }(f, user.token()));
  f.step();
  sim::advance(milliseconds(3));
  f.l.spawn([](async::loop& own) -> task<> {
    co_await async::yield();
    own.quit();
  }(f.l));
  f.l.run();
  f.step();
  CHECK_EQ(f.order, "t");
  user.stop();
  f.turn();
  CHECK_EQ(f.order, "tc");
  CHECK_EQ(f.orders.try_send(6), status::ok);
  f.l.stop();  // too late for this select; the next one ends at once
  f.turn();
  CHECK_EQ(f.order, "tc0k6c");
  CHECK_EQ(f.numbers.try_send(1), status::full);
  CHECK_EQ(f.orders.try_send(1), status::full);
}

TEST_CASE("destroyed while it waits, with a value on its way, arrived, or with one of the loop's own") {
  fixture f;
  CHECK(f.lock.try_lock());
  async::scope s;
  auto body = [](fixture& on) -> task<> {
    int n = 0, m = 0;
    static_cast<void>(co_await async::select(on.numbers.receive(n), on.lock.lock(), on.orders.receive(m)));
  };
  for (int i = 0; i < 5; ++i) s.spawn(body(f));
  f.step();
  const uint16_t lost = dropped_values();
  CHECK_EQ(f.orders.try_send(1), status::ok);
  f.l.mailbox().deliver();                      // arrived, but the coroutine has not run
  CHECK_EQ(f.numbers.try_send(2), status::ok);  // its case is in the ready queue
  CHECK_EQ(f.orders.try_send(3), status::ok);   // on its way
  f.lock.unlock();                              // the select of the value on its way refuses the lock
  s.destroy_all();                              // one coroutine still waits
  CHECK_EQ(dropped_values() - lost, 3);
  CHECK(!f.lock.is_locked());
  CHECK_EQ(f.orders.try_send(4), status::full);
  CHECK_EQ(f.numbers.try_send(4), status::full);
  f.turn();
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("two selects meet, in one channel and across two; none meets itself") {
  fixture f;
  async::cross_loop_channel<int> back;
  auto body = [](fixture& on, async::cross_loop_channel<int>& to, async::cross_loop_channel<int>& from,
                 int out) -> task<> {
    int n = 0;
    const selection s = co_await async::select(to.send(out), from.receive(n));
    on.order += said(s) + std::to_string(n);
  };
  f.l.spawn(body(f, f.orders, f.orders, 1));  // both directions of one channel
  f.step();
  CHECK_EQ(f.order, "");
  f.l.spawn(body(f, f.orders, f.orders, 2));
  f.step();
  CHECK_EQ(f.order, "0k0");
  f.turn();
  CHECK_EQ(f.order, "0k01k2");
  f.order.clear();
  f.l.spawn(body(f, f.orders, back, 3));
  f.l.spawn(body(f, back, f.orders, 4));
  f.step();
  f.turn();
  CHECK_EQ(f.order, "0k01k4");
}

TEST_CASE("a server selects between two endpoints") {
  using service = async::cross_loop_endpoint<int, int>;
  fixture f;
  service left, right;
  f.l.spawn([](fixture& on, service& l, service& r) -> task<> {
    service::served_type a, b;
    for (int i = 0; i < 2; ++i) {
      const selection s = co_await async::select(l.receive(a), r.receive(b), on.bell.wait());
      on.order += said(s);
      if (s.index == 0) on.order += l.reply(a, a.request() + 1) == status::ok ? '+' : '-';
      if (s.index == 1) on.order += r.reply(b, b.request() + 2) == status::ok ? '+' : '-';
    }
  }(f, left, right));
  f.step();
  auto client = [](fixture& on, service& to, int q) -> task<> {
    service::exchange_type x;
    x.request = q;
    const status s = co_await to.call(x);
    on.order += s == status::ok ? "=" + std::to_string(x.reply) : "?";
  };
  f.l.spawn(client(f, right, 10));
  for (int i = 0; i < 3; ++i) f.turn();
  CHECK_EQ(f.order, "1k+=12");
  f.l.spawn(client(f, left, 20));
  for (int i = 0; i < 3; ++i) f.turn();
  CHECK_EQ(f.order, "1k+=120k+=21");
  CHECK_EQ(f.l.all().running(), 0u);
}
