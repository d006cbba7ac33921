// SPDX-License-Identifier: MIT
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <exception>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "pair.hpp"

using baton::milliseconds;

TEST_CASE("a wake before the wait makes it return at once, and one wait takes all that came before it") {
  baton::asio::poller io;
  io.wake();
  io.wake();
  CHECK(io.wait(baton::async::never));
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    is_over = true;
    io.wake();
  });
  while (!is_over) CHECK(io.wait(baton::async::never));
  other.join();
}

TEST_CASE("a wait lasts until its time, and no longer; one that is past does not sleep") {
  baton::asio::poller io;
  for (uint32_t ms : {5u, 1u, 10u, 3u}) {
    const baton::tick due = baton::port::now() + milliseconds(ms);
    int waits = 0;
    while (baton::port::now() < due) {
      io.wait(due);
      ++waits;
    }
    CHECK(waits <= 2);  // an earlier deadline that was set may end one wait
  }
  io.wait(0);
  io.wait(baton::port::now());
}

TEST_CASE("a deadline replaces a later one that the loop has slept for") {
  baton::asio::poller io;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    io.wake();
  });
  io.wait(baton::port::now() + baton::seconds(1000));
  other.join();
  const baton::tick due = baton::port::now() + milliseconds(5);
  while (baton::port::now() < due) io.wait(due);
}

TEST_CASE("a signal handler wakes the loop, and an isr_signal that it sets is delivered") {
  static baton::isr_signal* rung;
  baton::isr_signal bell;
  rung = &bell;
  rig r;
  struct sigaction action = {};
  action.sa_handler = [](int) { rung->set(); };
  sigaction(SIGUSR1, &action, nullptr);
  int got = 0;
  r.loop.spawn([](baton::isr_signal& s, int& n) -> task<> {
    for (; n < 100; ++n) CHECK_EQ(co_await s.wait(), status::ok);
  }(bell, got));
  const pthread_t self = pthread_self();
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over) {
      pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  r.loop.run();
  is_over = true;
  other.join();
  CHECK_EQ(got, 100);
}

TEST_CASE("an isr_signal that another thread sets wakes the loop each time") {
  baton::isr_signal ping;
  std::atomic<int> pongs{0};
  rig r;
  r.loop.spawn([](baton::isr_signal& s, std::atomic<int>& n) -> task<> {
    while (n < 20000) {
      CHECK_EQ(co_await s.wait(), status::ok);
      ++n;
    }
  }(ping, pongs));
  std::thread other([&] {
    for (int i = 0; i < 20000; ++i) {
      while (pongs != i) std::this_thread::yield();
      ping.set();
    }
  });
  r.loop.run();
  other.join();
  CHECK_EQ(pongs, 20000);
}

TEST_CASE("delays of a stackless coroutine and of a C++20 one end, neither too early, while Asio sleeps") {
  struct beater : baton::coroutine<beater, baton::timed> {
    baton::point step(baton::point at) {
      BATON_BEGIN();
      for (n = 0; n < 5; ++n) {
        due = baton::port::now() + milliseconds(3);
        BATON_DELAY_UNTIL(due);
        early += baton::port::now() < due;
      }
      BATON_END();
    }
    baton::tick due = 0;
    int n = 0;
    int early = 0;
  };
  rig r;
  beater b;
  b.start();
  int beats = 0;
  r.loop.spawn([](int& n, const beater& other) -> task<> {
    for (; n < 5 || !other.is_done(); ++n) {
      const baton::tick due = baton::port::now() + milliseconds(2);
      co_await baton::async::sleep_until(due);
      CHECK(baton::port::now() >= due);
    }
  }(beats, b));
  r.loop.run();
  CHECK(beats >= 5);
  CHECK_EQ(b.n, 5);
  CHECK_EQ(b.early, 0);
}

TEST_CASE("sockets are served, with a bound, while others are always ready") {
  rig r;
  ends e(r);
  bool is_read = false;
  uint64_t steps = 0;
  r.loop.spawn([](ends& e, bool& is_read) -> task<> {
    char c = 0;
    CHECK(co_await e.a.async_read_some(net::buffer(&c, 1), use_baton));
    is_read = true;
  }(e, is_read));
  for (int i = 0; i < 3; ++i) {
    r.loop.spawn([](ends& e, const bool& is_read, uint64_t& n) -> task<> {
      while (!is_read) {
        if (n++ == 1000) e.b.write_some(net::buffer("x", 1));
        co_await baton::async::yield();
      }
    }(e, is_read, steps));
  }
  r.loop.run();
  constexpr uint64_t look =
      uint64_t{baton::async::loop::polls_every} * baton::async::loop::turn * baton::async::loop::transfers_in_a_row;
  CHECK(steps > 1000);
  CHECK(steps <= 1000 + 2 * look + 3);
}

TEST_CASE("handlers that never end do not keep the loop from its coroutines") {
  rig r;
  struct endless {
    net::io_context& on;
    void operator()() const { net::post(on, *this); }
  };
  net::post(r.io.context(), endless{r.io.context()});
  int n = 0;
  r.loop.spawn([](int& to) -> task<> {
    for (; to < 10; ++to) co_await baton::async::sleep_for(baton::ticks(1000));
  }(n));
  r.loop.run();
  CHECK_EQ(n, 10);
}

TEST_CASE("a context that somebody stopped goes on") {
  rig r;
  ends e(r);
  r.loop.spawn([](rig& r, ends& e) -> task<> {
    r.io.context().stop();
    e.b.write_some(net::buffer("x", 1));
    char c = 0;
    CHECK(co_await e.a.async_read_some(net::buffer(&c, 1), use_baton));
  }(r, e));
  r.loop.run();
}

TEST_CASE("a poller that is destroyed while a coroutine waits for Asio ends the program, which would wait for ever") {
  const pid_t child = fork();
  if (child == 0) {
    std::set_terminate([] { _exit(42); });  // a broken requirement ends here
    auto io = std::make_unique<baton::asio::poller>();
    baton::async::loop l(*io);
    l.spawn([](baton::async::loop& l) -> task<> {
      net::steady_timer timer(baton::asio::context(), std::chrono::hours(1));
      l.quit();
      static_cast<void>(co_await timer.async_wait(use_baton));
    }(l));
    l.run();
    io.reset();
    _exit(0);
  }
  int ended = 0;
  CHECK_EQ(waitpid(child, &ended, 0), child);
  CHECK(WIFEXITED(ended));
  CHECK_EQ(WEXITSTATUS(ended), 42);
}
