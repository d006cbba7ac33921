// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/text.hpp>

using namespace baton;
using async::task;
using text = test::text_sink<32>;

TEST_CASE("a scope's token says that it stops, calls back once, and not who has gone") {
  async::scope s;
  async::stop_token t = s.token();
  CHECK(t.can_stop());
  CHECK(!async::stop_token().can_stop());
  CHECK(!t.is_stopping());
  text order;
  {
    async::stop_callback last(t, [&] { order += 'c'; });
    async::stop_callback first(t, [&] { order += 'd'; });
    {
      async::stop_callback gone(t, [&] { order += '?'; });
    }
    CHECK_TEXT(order, "");
    s.stop();
    s.stop();
    CHECK_TEXT(order, "dc");
    CHECK(t.is_stopping());
    async::stop_callback late(t, [&] { order += 'l'; });
  }
  CHECK_TEXT(order, "dcl");
}

TEST_CASE("a callback may end another one") {
  async::stop_source source;
  int called = 0;
  auto count = [&called] { ++called; };
  using counting = async::stop_callback<decltype(count)>;
  union room {  // the test ends the callback itself
    room(async::stop_token t, decltype(count) f) : callback(t, f) {}
    ~room() {}
    counting callback;
  } other(source.token(), count);
  int ended = 0;
  async::stop_callback ends(source.token(), [&] {
    if (ended++ == 0) other.callback.~counting();
  });
  source.stop();
  CHECK_EQ(ended, 1);
  CHECK_EQ(called, 0);
}

TEST_CASE("a wait that ends with its own scope, or with somebody else's source") {
  async::stop_source user;
  channel<int> c;
  semaphore units;
  text order;
  async::scope s;
  s.spawn([](channel<int>& from, async::stop_token t, text& to) -> task<> {
    int value = 0;
    to += co_await async::until_stop(t, from.receive(value)) == status::ok ? 'k' : '?';
    to += co_await async::within(milliseconds(1), async::until_stop(t, from.receive(value))) == status::timed_out ? 't'
                                                                                                                  : '?';
    to += co_await async::until_stop(t, from.receive(value)) == status::cancelled ? 'c' : '?';
    to += co_await async::until_stop(t, from.receive(value)) == status::cancelled ? 'c' : '?';
    to += co_await from.receive(value) == status::ok ? 'k' : '?';  // the coroutine itself goes on
  }(c, user.token(), order));
  scheduler::run_until_idle();
  CHECK_EQ(c.try_send(1), status::ok);
  scheduler::run();
  CHECK_TEXT(order, "kt");
  user.stop();
  scheduler::run();
  CHECK_TEXT(order, "ktcc");
  CHECK_EQ(c.try_send(1), status::ok);
  scheduler::run();
  CHECK_TEXT(order, "ktcck");
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("a stop after the hand-over comes too late, and a source that goes away lets the wait go on") {
  channel<int> c;
  int got = 0;
  async::scope s;
  auto body = [](channel<int>& from, async::stop_token t, int& n) -> task<> {
    int value = 0;
    if (co_await async::until_stop(t, from.receive(value)) == status::ok) n += value;
  };
  {
    async::stop_source early;
    s.spawn(body(c, early.token(), got));
    scheduler::run_until_idle();
    CHECK_EQ(c.try_send(5), status::ok);
    early.stop();
    scheduler::run_until_idle();
    CHECK_EQ(got, 5);
    async::stop_source gone;
    s.spawn(body(c, gone.token(), got));
    scheduler::run_until_idle();
  }
  CHECK_EQ(c.try_send(6), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(got, 11);
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("a coroutine that computes asks its scope whether to stop, and spawns beside itself") {
  async::scope s;
  int steps = 0, beside = 0;
  s.spawn([](int& n, int& m) -> task<> {
    async::scope& mine = co_await async::this_scope();
    mine.spawn([](int& to) -> task<> {
      ++to;
      co_return;
    }(m));
    while (!mine.is_stopping()) {
      ++n;
      co_await async::yield();
    }
  }(steps, beside));
  for (int i = 0; i < 10; ++i) scheduler::run_for(1);
  s.stop();
  scheduler::run_until_idle();
  CHECK(steps > 3);
  CHECK_EQ(beside, 1);
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("a join with a deadline: the children go on, and are stopped then") {
  text order;
  async::scope s;
  s.spawn([](text& to) -> task<> {
    async::scope children;
    const uint32_t lengths[] = {2, 30};
    for (uint32_t ms : lengths) {
      children.spawn([](text& text, uint32_t t) -> task<> {
        text += co_await async::sleep_for(milliseconds(t)) == status::ok ? 'k' : 'c';
      }(to, ms));
    }
    to += co_await async::within(milliseconds(5), children.join()) == status::timed_out ? 't' : '?';
    CHECK_EQ(port::now(), milliseconds(5));
    CHECK_EQ(children.running(), 1u);
    children.stop();
    to += co_await async::within(milliseconds(5), children.join()) == status::ok ? 'j' : '?';
    CHECK_EQ(port::now(), milliseconds(5));
  }(order));
  scheduler::run();
  CHECK_TEXT(order, "ktcj");
  CHECK_EQ(s.running(), 0u);
  CHECK_EQ(async::frames().frames, 0u);
}
