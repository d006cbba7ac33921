// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/cross_loop_base.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <optional>
#include <string>

/// Stackless coroutines that wait for cross-loop objects, on one thread: the test does between two
/// steps what another thread could do at a bad moment.
using namespace baton;

namespace {

char letter(status s) {
  return "kfeXtcpTn"[static_cast<uint8_t>(s)];
}

struct fixture {
  async::cross_loop_channel<int> orders;
  baton::signal bell;
  std::string order;
  async::loop l;

  /// Runs everything that is ready; messages to the loop do not arrive.
  void step() { scheduler::run_until_idle(); }
  void turn() {
    l.mailbox().deliver();
    step();
  }
};

/// Receives for ever, without and with a deadline, in turns.
struct reader : coroutine<reader, async::cross_loop_base<deadline>> {
  explicit reader(fixture& f, char n = 'r') : on(f), name(n) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(on.orders.receive(value));
      tell();
      if (result() == status::closed) break;
      BATON_WAIT_FOR(milliseconds(2), on.orders.receive(value));
      tell();
      if (result() == status::closed) break;
    }
    BATON_END();
  }
  void tell() {
    on.order += name + std::string(1, letter(result())) + (result() == status::ok ? std::to_string(value) : "");
  }

  fixture& on;
  char name;
  int value = 0;
};

struct writer : coroutine<writer, async::cross_loop_base<>> {
  writer(fixture& f, int v) : on(f), value(v) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT(on.orders.send(value));
    on.order += std::string("w") + letter(result()) + std::to_string(value);
    BATON_WAIT(on.bell.wait());
    on.order += std::string("b") + letter(result());
    BATON_END();
  }
  fixture& on;
  int value;
};

}  // namespace

TEST_CASE(
    "a stackless coroutine sends to a shared channel and receives from it, in turn with others, and waits for what is "
    "its loop's own") {
  fixture f;
  reader r(f);
  writer w(f, 3);
  r.start();
  f.turn();
  CHECK_EQ(f.orders.try_send(1), status::ok);
  f.step();
  CHECK_EQ(f.order, "");  // on its way
  f.turn();
  CHECK_EQ(f.order, "rk1");
  w.start();
  f.turn();
  CHECK_EQ(f.order, "rk1wk3");  // the sender goes on at once
  f.turn();
  CHECK_EQ(f.order, "rk1wk3rk3");
  f.bell.set();
  f.turn();
  CHECK_EQ(f.order, "rk1wk3rk3bk");
  CHECK(w.is_done());
  writer x(f, 4);
  x.start();
  writer y(f, 5);
  y.start();
  for (int i = 0; i < 3; ++i) f.turn();
  CHECK_EQ(f.order, "rk1wk3rk3bkwk4rk4rk5wk5");
  f.orders.close();
  f.turn();
  CHECK_EQ(f.order, "rk1wk3rk3bkwk4rk4rk5wk5rX");
  CHECK(r.is_done());
}

TEST_CASE("first in, first out with C++20 coroutines") {
  fixture f;
  reader a(f, 'a'), c(f, 'c');
  a.start();
  f.turn();
  f.l.spawn([](fixture& on) -> async::task<> {
    int n = 0;
    static_cast<void>(co_await on.orders.receive(n));
    on.order += "b" + std::to_string(n);
  }(f));
  f.turn();
  c.start();
  f.turn();
  for (int i = 1; i <= 3; ++i) CHECK_EQ(f.orders.try_send(i), status::ok);
  CHECK_EQ(f.orders.try_send(4), status::full);
  f.turn();
  CHECK_EQ(f.order, "ak1b2ck3");
}

TEST_CASE("a deadline ends the wait, or comes too late") {
  fixture f;
  reader r(f);
  r.start();
  f.turn();
  CHECK_EQ(f.orders.try_send(1), status::ok);
  f.turn();
  sim::advance(milliseconds(3));
  f.turn();
  CHECK_EQ(f.order, "rk1rt");
  CHECK_EQ(f.orders.try_send(2), status::ok);
  f.turn();
  CHECK_EQ(f.orders.try_send(3), status::ok);
  sim::advance(milliseconds(3));
  f.step();  // the deadline passes while the value is on its way
  CHECK_EQ(f.order, "rk1rtrk2");
  f.turn();
  CHECK_EQ(f.order, "rk1rtrk2rk3");
}

TEST_CASE("a cancel and a suspension withdraw the wait, or come too late") {
  fixture f;
  reader r(f);
  r.start();
  f.turn();
  CHECK(r.cancel());
  CHECK(!r.cancel());
  f.turn();
  CHECK_EQ(f.order, "rc");
  CHECK_EQ(f.orders.try_send(1), status::ok);
  CHECK(!r.cancel());
  f.turn();
  CHECK_EQ(f.order, "rcrk1");
  r.suspend();
  CHECK_EQ(f.orders.try_send(2), status::full);
  f.turn();
  r.resume();
  f.turn();
  CHECK_EQ(f.order, "rcrk1rc");
  CHECK_EQ(f.orders.try_send(2), status::ok);
  r.suspend();  // the value is on its way and is kept
  f.turn();
  CHECK_EQ(f.order, "rcrk1rc");
  r.resume();
  r.resume();
  f.turn();
  CHECK_EQ(f.order, "rcrk1rcrk2");
}

TEST_CASE("destroyed or restarted while it waits, with a value on its way, arrived, and read") {
  fixture f;
  const uint16_t before = dropped_values();
  std::optional<reader> r;
  auto begin = [&] {
    r.emplace(f);
    r->start();
    f.turn();
  };
  begin();
  r.reset();
  CHECK_EQ(f.orders.try_send(1), status::full);
  begin();
  CHECK_EQ(f.orders.try_send(1), status::ok);
  r.reset();
  CHECK_EQ(dropped_values() - before, 1);
  begin();
  CHECK_EQ(f.orders.try_send(2), status::ok);
  f.l.mailbox().deliver();
  r->restart();
  CHECK_EQ(dropped_values() - before, 2);
  f.turn();
  CHECK_EQ(f.order, "");
  CHECK_EQ(f.orders.try_send(3), status::ok);
  r->restart();
  CHECK_EQ(dropped_values() - before, 3);
  f.turn();
  CHECK_EQ(f.orders.try_send(4), status::ok);
  f.turn();
  CHECK_EQ(f.order, "rk4");
  r.reset();
  CHECK_EQ(dropped_values() - before, 3);
  CHECK_EQ(f.orders.try_send(4), status::full);
  writer w(f, 5);
  w.start();
  f.turn();
  w.restart();
  f.turn();
  int n = 0;
  CHECK_EQ(f.orders.try_receive(n), status::ok);
  CHECK_EQ(f.orders.try_receive(n), status::empty);
  CHECK_EQ(dropped_values() - before, 3);
  CHECK(!scheduler::run_one());
}

TEST_CASE("it outlives its loop: what was on its way has arrived, and it leaves the list that it stands in") {
  async::cross_loop_channel<int> orders;
  struct waits : coroutine<waits, async::cross_loop_base<>> {
    explicit waits(async::cross_loop_channel<int>& c) : from(c) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(from.receive(value));
      BATON_END();
    }
    async::cross_loop_channel<int>& from;
    int value = 0;
  };
  {
    waits a(orders), b(orders);
    {
      async::loop l;
      a.start();
      b.start();
      scheduler::run_until_idle();
      CHECK_EQ(orders.try_send(1), status::ok);
    }
    CHECK_EQ(orders.try_send(2), status::full);  // b's loop refuses
    scheduler::run_until_idle();
    CHECK_EQ(a.value, 1);
    CHECK(a.is_done());
  }
}
