// SPDX-License-Identifier: MIT
#include <memory>

#include "pair.hpp"

namespace {

/// Sends `count` numbers, each as four bytes.
task<> send_numbers(ends::socket& to, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    auto [error, bytes] = co_await net::async_write(to, net::buffer(&i, sizeof i), use_baton);
    CHECK(!error);
    CHECK_EQ(bytes, sizeof i);
  }
}

}  // namespace

TEST_CASE("what one end writes the other reads, in order, with many such pairs in one loop") {
  rig r;
  std::vector<std::unique_ptr<ends>> pairs;
  uint32_t ended = 0;
  auto read = [](ends::socket& from, uint32_t& n) -> task<> {
    for (uint32_t i = 0; i < 1000; ++i) {
      uint32_t value = ~0u;
      const auto read = co_await net::async_read(from, net::buffer(&value, sizeof value), use_baton);
      CHECK(read);
      CHECK_EQ(value, i);
    }
    ++n;
  };
  for (int i = 0; i < 20; ++i) {
    ends& e = *pairs.emplace_back(std::make_unique<ends>(r));
    r.loop.spawn(send_numbers(e.a, 1000));
    r.loop.spawn(read(e.b, ended));
  }
  r.loop.run();
  CHECK_EQ(ended, 20);
}

TEST_CASE("a server accepts, and its client connects, over the loopback interface") {
  using net::ip::tcp;
  rig r;
  tcp::acceptor door(r.io.context(), {net::ip::address_v4::loopback(), 0});
  std::string got;
  r.loop.spawn([](tcp::acceptor& at, std::string& to) -> task<> {
    auto [error, peer] = co_await at.async_accept(use_baton);
    CHECK(!error);
    char text[16];
    for (;;) {
      auto [end, bytes] = co_await peer.async_read_some(net::buffer(text), use_baton);
      to.append(text, bytes);
      if (end) {
        CHECK_EQ(end, net::error::eof);
        break;
      }
    }
  }(door, got));
  r.loop.spawn([](tcp::endpoint to) -> task<> {
    tcp::socket s(baton::asio::context());
    auto [error] = co_await s.async_connect(to, use_baton);
    CHECK(!error);
    (co_await net::async_write(s, net::buffer("hello, ", 7), use_baton)).value();
    (co_await net::async_write(s, net::buffer("world", 5), use_baton)).value();
  }(door.local_endpoint()));
  r.loop.run();
  CHECK_EQ(got, "hello, world");
}

TEST_CASE("an error of the operation is the operation's own, and value() throws it") {
  rig r;
  ends e(r);
  bool has_thrown = false;
  r.loop.spawn([](ends& e, bool& thrown) -> task<> {
    char c = 0;
    e.b.close();
    auto [error, bytes] = co_await e.a.async_read_some(net::buffer(&c, 1), use_baton);
    CHECK_EQ(error, net::error::eof);
    CHECK_EQ(bytes, 0u);
    try {
      (co_await e.a.async_read_some(net::buffer(&c, 1), use_baton)).value();
    } catch (const boost::system::system_error& what) {
      thrown = what.code() == net::error::eof;
    }
  }(e, has_thrown));
  r.loop.run();
  CHECK(has_thrown);
}

TEST_CASE("a socket may have the token as its default") {
  using socket = baton::asio::use_baton_t::as_default_on_t<ends::socket>;
  rig r;
  ends e(r);
  socket s(std::move(e.a));
  r.loop.spawn(send_numbers(e.b, 1));
  r.loop.spawn([](socket& from) -> task<> {
    uint32_t value = 1;
    auto [error, bytes] = co_await from.async_read_some(net::buffer(&value, sizeof value));
    CHECK(!error);
    CHECK_EQ(bytes, sizeof value);
    CHECK_EQ(value, 0u);
  }(s));
  r.loop.run();
}

TEST_CASE("operations without an error, with an exception, and with several results") {
  rig r;
  r.loop.spawn([]() -> task<> {
    co_await net::post(use_baton);
    auto several = co_await net::async_initiate<decltype(use_baton), void(boost::system::error_code, int, char)>(
        [](auto h) {
          auto executor = h.get_executor();
          net::post(executor, [h = std::move(h)]() mutable { h(boost::system::error_code(), 7, 'x'); });
        },
        use_baton);
    CHECK_EQ(std::get<0>(several.result), 7);
    CHECK_EQ(std::get<1>(std::move(several).value()), 'x');
    auto throwing = [](auto h) {
      auto executor = h.get_executor();
      net::post(executor, [h = std::move(h)]() mutable { h(std::make_exception_ptr(std::string("thrown")), 7); });
    };
    std::string what;
    try {
      static_cast<void>(
          co_await net::async_initiate<decltype(use_baton), void(std::exception_ptr, int)>(throwing, use_baton));
    } catch (const std::string& s) {
      what = s;
    }
    CHECK_EQ(what, "thrown");
  }());
  r.loop.run();
}

TEST_CASE("an operation that throws when it is begun throws where it is awaited") {
  rig r;
  bool has_thrown = false;
  r.loop.spawn([](bool& thrown) -> task<> {
    try {
      co_await net::async_initiate<decltype(use_baton), void()>([](auto) { throw 7; }, use_baton);
    } catch (int n) {
      thrown = n == 7;
    }
    co_await net::post(use_baton);
  }(has_thrown));
  r.loop.run();
  CHECK(has_thrown);
  CHECK_EQ(baton::async::frames().frames, 0u);
}

TEST_CASE("an operation that calls its handler at once goes on at once") {
  rig r;
  int n = 0;
  r.loop.spawn([](int& to) -> task<> {
    auto done = [](auto h) { h(boost::system::error_code(), 7); };
    for (int i = 0; i < 100000; ++i) {
      auto [error, value] =
          co_await net::async_initiate<decltype(use_baton), void(boost::system::error_code, int)>(done, use_baton);
      to += value;
    }
  }(n));
  r.loop.run();
  CHECK_EQ(n, 700000);
}

TEST_CASE("whoever has no poller is told") {
  baton::async::loop l;
  CHECK_TRAPS(thread_without_poller, baton::asio::context());
  baton::asio::poller io;
  CHECK_TRAPS(second_poller_on_thread, baton::asio::poller());
  CHECK_EQ(&baton::asio::context(), &io.context());
}
