// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/text.hpp>
#include <baton/test/trace.hpp>

using namespace baton;
using async::task;
using text = test::text_sink<32>;

namespace {

/// A stackless coroutine at the same channel.
struct doubler : coroutine<doubler, waiting> {
  doubler(channel<int>& from, channel<int>& to) : in(from), out(to) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(in.receive(value));
      if (result() != status::ok) break;
      value *= 2;
      BATON_WAIT(out.send(value));
    }
    BATON_END();
  }
  channel<int>& in;
  channel<int>& out;
  int value = 0;
};

using shared = endpoint<int, int>;

struct server : coroutine<server, waiting> {
  explicit server(shared& e) : at_(e) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(at_.receive(held));
      if (result() != status::ok) break;
      at_.reply(held, held.request() + 1);
    }
    BATON_END();
  }
  shared& at_;
  shared::served_type held;
};

}  // namespace

TEST_CASE("one channel between a stackless coroutine and two of C++20") {
  channel<int> in, out;
  doubler d(in, out);
  d.start();
  int sum = 0;
  async::scope s;
  s.spawn([](channel<int>& c) -> task<> {
    for (int i = 1; i <= 1000; ++i) CHECK_EQ(co_await c.send(i), status::ok);
    c.close();
  }(in));
  s.spawn([](channel<int>& c, int& n) -> task<> {
    int value = 0;
    for (int i = 0; i < 1000; ++i) {
      CHECK_EQ(co_await c.receive(value), status::ok);
      n += value;
    }
  }(out, sum));
  scheduler::run();
  CHECK_EQ(sum, 1001000);
  CHECK_EQ(s.running(), 0u);
  CHECK(d.is_done());
}

TEST_CASE("calls to an endpoint: a C++20 client of a stackless server, and the other way round") {
  shared e;
  server other(e);
  other.start();
  async::scope s;
  int sum = 0;
  s.spawn([](shared& at, int& n) -> task<> {
    shared::exchange_type x;
    for (int i = 0; i < 100; ++i) {
      x.request = i;
      CHECK_EQ(co_await at.call(x), status::ok);
      n += x.reply;
    }
    at.close();
  }(e, sum));
  scheduler::run();
  CHECK_EQ(sum, 5050);
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("a wait that ends at its deadline, just before it, and a channel that was closed") {
  channel<int> c;
  async::scope s;
  s.spawn([](channel<int>& from) -> task<> {
    int value = 0;
    CHECK_EQ(co_await async::within(milliseconds(5), from.receive(value)), status::timed_out);
    CHECK_EQ(port::now(), milliseconds(5));
    CHECK_EQ(co_await async::within(milliseconds(5), from.receive(value)), status::ok);
    CHECK_EQ(value, 7);
    CHECK_EQ(port::now(), milliseconds(9));
    CHECK_EQ(co_await async::within(milliseconds(5), from.receive(value)), status::closed);
    CHECK_EQ(co_await from.receive(value), status::closed);
    CHECK_EQ(co_await async::sleep_for(milliseconds(1)), status::ok);
    CHECK_EQ(port::now(), milliseconds(13));
  }(c));
  s.spawn([](channel<int>& to) -> task<> {
    co_await async::sleep_for(milliseconds(9));
    CHECK_EQ(co_await to.send(7), status::ok);
    co_await async::sleep_until(milliseconds(12).ticks());
    to.close();
    co_await async::sleep_until(milliseconds(20).ticks());
  }(c));
  scheduler::run();
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("a stop wakes who sleeps, and who waits with a deadline, at once") {
  baton::signal bell;
  async::scope s;
  int cancelled = 0;
  s.spawn([](baton::signal& b, int& n) -> task<> {
    if (co_await async::within(seconds(3), b.wait()) == status::cancelled) ++n;
    if (co_await async::sleep_for(seconds(3)) == status::cancelled) ++n;
    if (co_await b.wait() == status::cancelled) ++n;
  }(bell, cancelled));
  s.spawn([](int& n) -> task<> {
    if (co_await async::sleep_for(seconds(3)) == status::cancelled) ++n;
  }(cancelled));
  scheduler::run_until_idle();
  const tick before = port::now();
  s.stop();
  scheduler::run_until_idle();
  CHECK_EQ(cancelled, 4);
  CHECK_EQ(port::now(), before);
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("who yields lets the others run, C++20 or stackless, in turn") {
  struct turn : coroutine<turn> {
    explicit turn(text& t) : to(t) {}
    point step(point at) {
      BATON_BEGIN();
      for (i = 0; i < 3; ++i) {
        to += 's';
        BATON_YIELD();
      }
      BATON_END();
    }
    text& to;
    int i = 0;
  };
  text order;
  turn t(order);
  async::scope s;
  auto body = [](text& to, char c) -> task<> {
    for (int i = 0; i < 3; ++i) {
      to += c;
      co_await async::yield();
    }
  };
  s.spawn(body(order, 'a'));
  t.start();
  s.spawn(body(order, 'b'));
  scheduler::run();
  CHECK_TEXT(order, "asbasbasb");
}
