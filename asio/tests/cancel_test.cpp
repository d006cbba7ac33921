// SPDX-License-Identifier: MIT
#include <boost/asio/compose.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <random>

#include "pair.hpp"

using baton::milliseconds;
using baton::async::within;

namespace {

/// An operation of two steps, whose second step is long. It does not check for a cancellation
/// between them, like operations of other libraries on Asio.
struct two_steps {
  net::steady_timer& timer;
  int& steps;

  template <typename Self>
  void operator()(Self& self, boost::system::error_code error = {}) {
    if (++steps == 3) return self.complete(error);
    if (steps == 1) return net::post(timer.get_executor(), [s = std::move(self)]() mutable { s(); });
    timer.expires_after(std::chrono::hours(1));
    timer.async_wait(std::move(self));
  }
};

}  // namespace

TEST_CASE("a deadline ends a read, which keeps what it had, and the socket goes on") {
  rig r;
  ends e(r);
  r.loop.spawn([](ends& e) -> task<> {
    char text[8];
    const baton::tick begin = baton::port::now();
    auto [error, bytes] = co_await within(milliseconds(5), e.a.async_read_some(net::buffer(text), use_baton));
    CHECK_EQ(error, status::timed_out);
    CHECK_EQ(error, boost::system::errc::timed_out);
    CHECK_EQ(bytes, 0u);
    CHECK(baton::port::now() - begin >= milliseconds(5));

    e.b.write_some(net::buffer("abc", 3));
    auto [late, some] = co_await within(milliseconds(5), net::async_read(e.a, net::buffer(text), use_baton));
    CHECK_EQ(late, status::timed_out);
    CHECK_EQ(some, 3u);

    e.b.write_some(net::buffer("d", 1));
    auto [good, one] = co_await within(baton::seconds(100), e.a.async_read_some(net::buffer(text), use_baton));
    CHECK(!good);
    CHECK_EQ(one, 1u);
    CHECK_EQ(text[0], 'd');
  }(e));
  r.loop.run();
  CHECK_EQ(r.loop.timers(), 0u);
}

TEST_CASE("a stop of the scope ends what waits, and what waits later, with `cancelled`") {
  rig r;
  ends e(r);
  int ended = 0;
  r.loop.spawn([](ends& e, int& n) -> task<> {
    char c = 0;
    auto [error, bytes] = co_await e.a.async_read_some(net::buffer(&c, 1), use_baton);
    CHECK_EQ(error, status::cancelled);
    CHECK_EQ(error, boost::system::errc::operation_canceled);
    auto [again, none] = co_await e.a.async_read_some(net::buffer(&c, 1), use_baton);
    CHECK_EQ(again, status::cancelled);
    auto [timed, no] = co_await within(milliseconds(1), e.a.async_read_some(net::buffer(&c, 1), use_baton));
    CHECK_EQ(timed, status::cancelled);
    ++n;
  }(e, ended));
  r.loop.spawn([](rig& r, int& n) -> task<> {
    net::ip::tcp::acceptor door(r.io.context(), {net::ip::address_v4::loopback(), 0});
    auto [error, peer] = co_await door.async_accept(use_baton);
    CHECK_EQ(error, status::cancelled);
    auto [again, other] = co_await door.async_accept(use_baton);
    CHECK_EQ(again, status::cancelled);
    ++n;
  }(r, ended));
  r.loop.spawn([](rig& r) -> task<> {
    co_await net::post(use_baton);
    r.loop.stop();
  }(r));
  r.loop.run();
  CHECK_EQ(ended, 2);
}

TEST_CASE("a cancel that comes after the operation has completed is too late") {
  rig r;
  ends e(r);
  bool is_read = false;
  baton::async::scope readers;
  readers.spawn([](ends& e, bool& is_read) -> task<> {
    char c = 0;
    auto [error, bytes] = co_await e.a.async_read_some(net::buffer(&c, 1), use_baton);
    CHECK(!error);
    CHECK_EQ(bytes, 1u);
    CHECK_EQ(c, 'x');
    is_read = true;
  }(e, is_read));
  r.loop.spawn([](rig& r, ends& e, baton::async::scope& s) -> task<> {
    co_await baton::async::yield();
    e.b.write_some(net::buffer("x", 1));
    // Asio reads here, and calls the handler, before the reader runs.
    while (r.io.context().poll_one() != 0) {
    }
    s.stop();
    co_await s.join();
  }(r, e, readers));
  r.loop.run();
  CHECK(is_read);
}

TEST_CASE("a cancel that comes before Asio has told of what it has done is too late, too") {
  rig r;
  ends e(r);
  bool is_read = false;
  e.b.write_some(net::buffer("x", 1));
  r.loop.spawn([](ends& e, bool& is_read) -> task<> {
    char c = 0;
    // The byte is there: Asio reads it at once, and calls the handler in the loop's next poll.
    auto [error, bytes] = co_await e.a.async_read_some(net::buffer(&c, 1), use_baton);
    CHECK(!error);
    CHECK_EQ(bytes, 1u);
    is_read = c == 'x';
  }(e, is_read));
  r.loop.spawn([](rig& r) -> task<> {
    r.loop.stop();
    co_return;
  }(r));
  r.loop.run();
  CHECK(is_read);
}

TEST_CASE("a stop between two steps of an operation that consists of several is not lost") {
  rig r;
  net::steady_timer timer(r.io.context());
  int steps = 0;
  bool has_ended = false;
  r.loop.spawn([](net::steady_timer& t, int& steps, bool& ended) -> task<> {
    auto [error] = co_await net::async_compose<decltype(use_baton), void(boost::system::error_code)>(
        two_steps{t, steps}, use_baton, t);
    CHECK_EQ(error, status::cancelled);
    ended = true;
  }(timer, steps, has_ended));
  r.loop.spawn([](rig& r) -> task<> {
    r.loop.stop();  // the first step is in Asio's queue, and there is no timer to cancel
    co_return;
  }(r));
  r.loop.run();
  CHECK(has_ended);
  CHECK_EQ(steps, 3);
}

TEST_CASE("a loop that is destroyed while coroutines wait ends their operations and destroys their locals") {
  int ended = 0;
  struct counted {
    explicit counted(int& n) : to(&n) {}
    counted(const counted&) = delete;
    ~counted() { ++*to; }
    int* to;
  };
  {
    rig r;
    for (int i = 0; i < 10; ++i) {
      r.loop.spawn([](rig& r, int& n) -> task<> {
        ends e(r);
        counted c(n);
        std::string text;
        static_cast<void>(co_await net::async_read(e.a, net::dynamic_buffer(text), use_baton));
      }(r, ended));
      r.loop.spawn([](rig& r, int& n) -> task<> {
        ends e(r);
        counted c(n);
        char text[64];
        static_cast<void>(co_await within(baton::seconds(100), e.a.async_read_some(net::buffer(text), use_baton)));
      }(r, ended));
    }
    r.loop.spawn([](rig& r) -> task<> {
      co_await net::post(use_baton);
      r.loop.quit();
    }(r));
    r.loop.run();
    CHECK_EQ(ended, 0);
  }
  CHECK_EQ(ended, 20);
  CHECK_EQ(baton::async::frames().frames, 0u);
}

TEST_CASE("a hundred thousand random deadlines, stops and writes: no byte is lost, none comes twice") {
  rig r;
  ends e(r);
  std::mt19937 random(5);
  struct tally {
    uint32_t sent = 0, got = 0, timed_out = 0, cancelled = 0, rounds = 0;
  } t;
  auto read_one = [](ends& e, tally& t, baton::duration limit) -> task<> {
    uint8_t b = 0;
    auto [error, bytes] = co_await within(limit, e.a.async_read_some(net::buffer(&b, 1), use_baton));
    if (error == status::timed_out) ++t.timed_out;
    if (error == status::cancelled) ++t.cancelled;
    if (error) {
      CHECK_EQ(bytes, 0u);
      co_return;
    }
    CHECK_EQ(b, static_cast<uint8_t>(t.got));
    ++t.got;
  };
  r.loop.spawn([](ends& e, tally& t, std::mt19937& random, auto& read_one) -> task<> {
    for (; t.rounds < 100000; ++t.rounds) {
      baton::async::scope s;
      s.spawn(read_one(e, t, baton::ticks(random() % 8000 + (random() % 4 == 0 ? 1000000 : 0))));
      const uint32_t what = random() % 8;
      if (what & 1) co_await baton::async::yield();
      if (what & 2) {
        const uint8_t b = static_cast<uint8_t>(t.sent++);
        e.b.write_some(net::buffer(&b, 1));
      }
      if (what & 4) co_await net::post(use_baton);
      if (random() % 3 == 0) s.stop();
      co_await s.join();
    }
    e.b.close();
    for (uint8_t b = 0;; ++t.got) {
      auto [error, bytes] = co_await e.a.async_read_some(net::buffer(&b, 1), use_baton);
      if (error) break;
      CHECK_EQ(b, static_cast<uint8_t>(t.got));
    }
  }(e, t, random, read_one));
  r.loop.run();
  CHECK_EQ(t.got, t.sent);
  CHECK(t.sent > 10000);
  CHECK(t.timed_out > 1000);
  CHECK(t.cancelled > 1000);
  CHECK_EQ(r.loop.timers(), 0u);
  CHECK_EQ(baton::async::frames().frames, 0u);
}
