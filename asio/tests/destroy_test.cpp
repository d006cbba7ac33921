// SPDX-License-Identifier: MIT
//
// Coroutines that wait for Asio are destroyed: at the end of their loop, while the poller goes on
// or ends too.
#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <signal.h>
#include <stdexcept>
#include <thread>
#include <vector>

#include "pair.hpp"

using baton::async::within;

namespace {

using executor = baton::asio::detail::operation_executor<>;
static_assert(net::execution::is_executor<executor>::value, "Asio takes it for an executor");
static_assert(std::is_convertible_v<executor, net::any_io_executor>, "and for one of I/O");

/// A loop that ends before its poller.
struct open_rig {
  baton::asio::poller io;
  std::unique_ptr<baton::async::loop> loop = std::make_unique<baton::async::loop>(io);

  /// Lets the coroutines begin to wait, and destroys them.
  void begin_and_end_loop() {
    loop->spawn([](baton::async::loop& l) -> task<> {
      l.quit();
      co_return;
    }(*loop));
    loop->run();
    loop.reset();
  }
  void look(int times = 20) {
    while (times-- != 0) io.wait(0);
  }
};

/// Two ends of a connection that outlive the loop.
struct outer_ends {
  explicit outer_ends(open_rig& r) : a(r.io.context()), b(r.io.context()) { net::local::connect_pair(a, b); }
  ends::socket a;
  ends::socket b;
};

/// An operation of three steps through the context's queue. Each step runs by the executor of its
/// handler.
struct in_steps {
  int& steps;
  std::shared_ptr<int> state;

  template <typename Self>
  void operator()(Self& self) {
    if (++steps == 3) return self.complete();
    net::post(std::move(self));
  }
};

/// An operation with steps that Asio does not relate to it, and that does not refer to the
/// coroutine.
struct astray {
  std::shared_ptr<int> steps;
  net::io_context& context;

  template <typename Self>
  void operator()(Self& self) {
    if (++*steps == 3) return self.complete();
    net::post(context, [s = std::move(self)]() mutable { s(); });
  }
};

task<> walk(int& steps, std::shared_ptr<int> state) {
  in_steps first{steps, std::move(state)};
  co_await net::async_compose<decltype(use_baton), void()>(std::move(first), use_baton);
}

task<> sleep_in(net::steady_timer& t) {
  t.expires_after(std::chrono::hours(1));
  static_cast<void>(co_await t.async_wait(use_baton));
}

/// Waits for one of many kinds of operations. Its locals hold the objects that the operation needs.
task<> wait_for(int kind, open_rig& r, int& ended) {
  struct counted {
    explicit counted(int& n) : to(&n) {}
    counted(const counted&) = delete;
    ~counted() { ++*to; }
    int* to;
  };
  const counted c(ended);
  ends::socket a(r.io.context());
  ends::socket b(r.io.context());
  net::local::connect_pair(a, b);
  std::string text;
  std::array<char, 16> bytes = {};
  net::steady_timer timer(r.io.context());
  switch (kind) {
    case 0:
      co_await sleep_in(timer);
      break;
    case 1:
      static_cast<void>(co_await a.async_read_some(net::buffer(bytes), use_baton));
      break;
    case 2:  // it has read, and the handler has not been called
      b.write_some(net::buffer("x", 1));
      static_cast<void>(co_await a.async_read_some(net::buffer(bytes), use_baton));
      break;
    case 3:  // one step of several has read, and the next one grows the text
      b.write_some(net::buffer("x", 1));
      static_cast<void>(co_await net::async_read(a, net::dynamic_buffer(text), use_baton));
      break;
    case 4:
      text.assign(8 << 20, 'x');  // more than the connection takes
      static_cast<void>(co_await net::async_write(a, net::buffer(text), use_baton));
      break;
    case 5: {
      net::ip::tcp::acceptor door(r.io.context(), {net::ip::address_v4::loopback(), 0});
      static_cast<void>(co_await door.async_accept(use_baton));
      break;
    }
    case 6: {  // it has accepted, and the handler has not been called
      net::ip::tcp::acceptor door(r.io.context(), {net::ip::address_v4::loopback(), 0});
      net::ip::tcp::socket client(r.io.context());
      client.connect(door.local_endpoint());
      static_cast<void>(co_await door.async_accept(use_baton));
      break;
    }
    case 7: {
      net::signal_set signals(r.io.context(), SIGUSR2);
      static_cast<void>(co_await signals.async_wait(use_baton));
      break;
    }
    case 8:
      co_await net::post(use_baton);
      break;
    case 9:
      static_cast<void>(co_await within(baton::seconds(100), a.async_read_some(net::buffer(bytes), use_baton)));
      break;
    case 10: {
      int steps = 0;
      co_await walk(steps, nullptr);
      break;
    }
    case 11: {
      astray first{std::make_shared<int>(), r.io.context()};
      co_await net::async_compose<decltype(use_baton), void()>(std::move(first), use_baton);
      break;
    }
    default: {  // a socket with the context's own executor
      net::basic_stream_socket<net::local::stream_protocol, net::io_context::executor_type> s(r.io.context());
      net::basic_stream_socket<net::local::stream_protocol, net::io_context::executor_type> t(r.io.context());
      net::local::connect_pair(s, t);
      t.write_some(net::buffer("x", 1));
      static_cast<void>(co_await net::async_read(s, net::buffer(bytes), use_baton));
    }
  }
  FAIL("the operation has ended");
}

constexpr int kinds = 13;

}  // namespace

TEST_CASE("the end of a loop calls nobody's handler: the poller's next wait does") {
  open_rig r;
  net::steady_timer t(r.io.context());
  r.loop->spawn(sleep_in(t));
  int called = 0;
  r.loop->spawn([](open_rig& r, int& called) -> task<> {
    net::post(r.io.context(), [&called] { ++called; });
    co_return;
  }(r, called));
  r.begin_and_end_loop();
  CHECK_EQ(called, 0);
  r.look();
  CHECK_EQ(called, 1);
  CHECK_EQ(baton::async::frames().frames, 0u);
}

TEST_CASE("a handler that throws throws from the loop's run or the poller's wait, not from a destructor") {
  open_rig r;
  net::steady_timer t(r.io.context());
  r.loop->spawn(sleep_in(t));
  net::post(r.io.context(), [] { throw std::runtime_error("a user's handler"); });
  CHECK_THROWS_WITH(r.loop->run(), "a user's handler");
  net::post(r.io.context(), [] { throw std::runtime_error("another one"); });
  r.loop.reset();
  CHECK_EQ(baton::async::frames().frames, 0u);
  CHECK_THROWS_WITH(r.io.wait(0), "another one");
}

TEST_CASE("an operation whose coroutine is destroyed takes nothing from then on") {
  open_rig r;
  outer_ends e(r);
  std::array<char, 4> bytes = {};
  r.loop->spawn([](outer_ends& e, std::array<char, 4>& to) -> task<> {
    static_cast<void>(co_await e.a.async_read_some(net::buffer(to), use_baton));
  }(e, bytes));
  r.begin_and_end_loop();
  e.b.write_some(net::buffer("abc", 3));
  r.look();
  CHECK_EQ(bytes[0], 0);
  CHECK_EQ(e.a.available(), 3u);
}

TEST_CASE("an operation of several steps whose coroutine is destroyed takes no further step, and what it holds goes") {
  int steps = 0;
  const std::shared_ptr<int> state = std::make_shared<int>();
  SUBCASE("when the poller goes on") {
    open_rig r;
    r.loop->spawn(walk(steps, state));
    r.begin_and_end_loop();
    CHECK_EQ(steps, 1);
    CHECK_EQ(state.use_count(), 2);
    r.look();
    CHECK_EQ(state.use_count(), 1);
  }
  SUBCASE("when the poller ends, too") {
    open_rig r;
    r.loop->spawn(walk(steps, state));
    r.begin_and_end_loop();
  }
  CHECK_EQ(steps, 1);
  CHECK_EQ(state.use_count(), 1);
}

TEST_CASE(
    "coroutines that wait for many kinds of operations are destroyed, and other coroutines go on over their poller") {
  int ended = 0;
  open_rig r;
  for (int round = 1; round <= 20; ++round) {
    for (int kind = 0; kind < kinds; ++kind) r.loop->spawn(wait_for(kind, r, ended));
    r.begin_and_end_loop();
    CHECK_EQ(ended, round * kinds);
    CHECK_EQ(baton::async::frames().frames, 0u);
    r.loop = std::make_unique<baton::async::loop>(r.io);
    bool is_done = false;
    r.loop->spawn([](open_rig& r, bool& done) -> task<> {
      outer_ends e(r);
      for (int i = 0; i < 100; ++i) {
        char c = 0;
        static_cast<void>(co_await net::async_write(e.a, net::buffer("y", 1), use_baton));
        static_cast<void>(co_await net::async_read(e.b, net::buffer(&c, 1), use_baton));
        CHECK_EQ(c, 'y');
      }
      done = true;
    }(r, is_done));
    r.loop->run();
    CHECK(is_done);
  }
  // The poller ends with the rest of the operations.
  for (int kind = 0; kind < kinds; ++kind) r.loop->spawn(wait_for(kind, r, ended));
  r.begin_and_end_loop();
  CHECK_EQ(ended, 21 * kinds);
}

TEST_CASE("an executor that outlives its operation calls, although the next operation's coroutine is destroyed") {
  open_rig r;
  std::vector<net::any_io_executor> kept;
  r.loop->spawn([](std::vector<net::any_io_executor>& kept) -> task<> {
    auto keep = [&kept](auto h) {
      kept.emplace_back(net::get_associated_executor(h));
      net::post(std::move(h));
    };
    co_await net::async_initiate<decltype(use_baton), void()>(keep, use_baton);
  }(kept));
  r.loop->run();
  net::steady_timer t(r.io.context());
  int called = 0;
  for (int i = 0; i < 3; ++i) r.loop->spawn(sleep_in(t));
  r.begin_and_end_loop();
  REQUIRE_EQ(kept.size(), 1u);
  net::post(kept[0], [&called] { ++called; });
  net::dispatch(kept[0], [&called] { called += 10; });
  CHECK_EQ(called, 0);
  r.look();
  CHECK_EQ(called, 11);
  CHECK(&net::query(kept[0], net::execution::context) == &r.io.context());
}

TEST_CASE("a step that another thread brings runs on the thread of the poller") {
  rig r;
  bool is_here = false;
  r.loop.spawn([](bool& is_here) -> task<> {
    const std::thread::id own = std::this_thread::get_id();
    std::thread other;
    auto start = [&](auto h) {
      other = std::thread([h = std::move(h), &is_here, own]() mutable {
        const auto ex = net::get_associated_executor(h);
        net::dispatch(net::bind_executor(ex, [h = std::move(h), &is_here, own]() mutable {
          is_here = std::this_thread::get_id() == own;
          h();
        }));
      });
    };
    co_await net::async_initiate<decltype(use_baton), void()>(start, use_baton);
    other.join();
  }(is_here));
  r.loop.run();
  CHECK(is_here);
}
