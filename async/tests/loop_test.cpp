// SPDX-License-Identifier: MIT
#include <baton/async/loop.hpp>
#include <baton/test/trace.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace baton;
using async::task;

TEST_CASE("delays end in the order of their due times, whoever began first") {
  auto l = std::make_unique<async::loop>();
  std::string order;
  auto body = [](std::string& to, char name, uint32_t ms) -> task<> {
    CHECK_EQ(co_await async::sleep_for(milliseconds(ms)), status::ok);
    CHECK_EQ(port::now(), milliseconds(ms));
    to += name;
  };
  l->spawn(body(order, 'c', 30));
  l->spawn(body(order, 'a', 10));
  l->spawn(body(order, 'd', 30));
  l->spawn(body(order, 'b', 20));
  l->run();
  CHECK_EQ(order, "abcd");
  CHECK_EQ(l->timers(), 0u);
}

TEST_CASE("a day of a program that wakes every second passes in virtual time, without one sleep") {
  auto l = std::make_unique<async::loop>();
  uint32_t beats = 0;
  l->spawn([](uint32_t& n) -> task<> {
    const tick begin = port::now();
    for (uint32_t i = 1; i <= 24 * 60 * 60; ++i) {
      co_await async::sleep_until(begin + static_cast<tick>(i) * seconds(1));
      ++n;
    }
  }(beats));
  l->run();
  CHECK_EQ(beats, 86400u);
  CHECK_EQ(port::now(), tick{86400} * seconds(1));
}

TEST_CASE("timers are served while others are always ready") {
  auto l = std::make_unique<async::loop>();
  bool has_fired = false;
  uint32_t steps_until_fired = 0;
  auto busy = [](const bool& fired, uint32_t& steps) -> task<> {
    while (!fired) {
      sim::advance(1000);
      ++steps;
      co_await async::yield();
    }
  };
  l->spawn([](bool& fired) -> task<> {
    co_await async::sleep_for(microseconds(1));
    fired = true;
  }(has_fired));
  for (int i = 0; i < 3; ++i) l->spawn(busy(has_fired, steps_until_fired));
  l->run();
  CHECK(has_fired);
  CHECK(steps_until_fired <= async::loop::turn * async::detail::transfers_in_a_row + 3u);
}

TEST_CASE("a deadline on a channel, and one that was met leaves no timer behind") {
  auto l = std::make_unique<async::loop>();
  channel<int> c;
  l->spawn([](channel<int>& from) -> task<> {
    int value = 0;
    CHECK_EQ(co_await async::within(milliseconds(5), from.receive(value)), status::timed_out);
    CHECK_EQ(co_await async::within(seconds(100), from.receive(value)), status::ok);
    CHECK_EQ(port::now(), milliseconds(7));
  }(c));
  l->spawn([](channel<int>& to) -> task<> {
    co_await async::sleep_for(milliseconds(7));
    CHECK_EQ(co_await to.send(1), status::ok);
  }(c));
  l->run();
  CHECK_EQ(l->timers(), 0u);
  CHECK_EQ(port::now(), milliseconds(7));
}

TEST_CASE("a hundred thousand random delays, some stopped: each ends once, in its time or at the stop") {
  auto l = std::make_unique<async::loop>();
  std::mt19937 random(3);
  uint32_t in_time = 0, stopped = 0;
  auto body = [](tick due, uint32_t& good, uint32_t& ended) -> task<> {
    const status s = co_await async::sleep_until(due);
    if (s == status::ok) {
      CHECK_WITH(port::now() == due, static_cast<uint32_t>(due));
      ++good;
    } else {
      ++ended;
    }
  };
  for (int i = 0; i < 100000; ++i) l->spawn(body(random() % 1000000000u, in_time, stopped));
  l->spawn([](async::loop& all) -> task<> {
    co_await async::sleep_for(milliseconds(500));
    all.stop();
  }(*l));
  l->run();
  CHECK_EQ(in_time + stopped, 100000u);
  CHECK(in_time > 40000);
  CHECK(stopped > 40000);
  CHECK_EQ(l->timers(), 0u);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a loop that is destroyed with work in flight runs each destructor once") {
  int ended = 0;
  struct counted {
    explicit counted(int& n) : to(&n) {}
    counted(const counted&) = delete;
    ~counted() { ++*to; }
    int* to;
  };
  {
    auto l = std::make_unique<async::loop>();
    for (uint32_t i = 0; i < 10; ++i) {
      l->spawn([](int& n, uint32_t s) -> task<> {
        counted c(n);
        co_await async::sleep_for(seconds(s));
      }(ended, i));
    }
    l->spawn([](async::loop& all) -> task<> {
      co_await async::sleep_for(milliseconds(4500));
      all.quit();
    }(*l));
    l->run();
    CHECK_EQ(ended, 5);
    CHECK_EQ(l->timers(), 5u);
  }
  CHECK_EQ(ended, 10);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a second loop on one thread is refused") {
  async::loop l;
  CHECK_TRAPS(second_loop_on_thread, async::loop());
}
