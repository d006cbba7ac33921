// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/trace.hpp>

using namespace baton;
using async::task;

namespace {

task<> wait_for(baton::signal& bell, int& heard, int& cancelled) {
  const status s = co_await bell.wait();
  ++(s == status::cancelled ? cancelled : heard);
}

struct count_at_end {
  explicit count_at_end(int& n) : ended(&n) {}
  count_at_end(const count_at_end&) = delete;
  ~count_at_end() { ++*ended; }
  int* ended;
};

task<> inner(baton::signal& bell, int& ended) {
  count_at_end c(ended);
  static_cast<void>(co_await bell.wait());
}

task<> outer(baton::signal& bell, int& ended) {
  count_at_end c(ended);
  co_await inner(bell, ended);
}

}  // namespace

TEST_CASE("a scope ends when its coroutines have; stopped ones wait no more") {
  baton::signal bell;
  int heard = 0, cancelled = 0;
  async::scope s;
  for (int i = 0; i < 3; ++i) s.spawn(wait_for(bell, heard, cancelled));
  scheduler::run();
  bell.set();
  scheduler::run();
  CHECK_EQ(heard, 1);
  CHECK_EQ(s.running(), 2u);
  s.stop();
  s.spawn(wait_for(bell, heard, cancelled));
  bell.set();  // too late for the stopped coroutines
  scheduler::run();
  CHECK_EQ(heard, 1);
  CHECK_EQ(cancelled, 3);
  CHECK_EQ(s.running(), 0u);
  CHECK(bell.try_take());
}

TEST_CASE("a stop goes down through joins, and a join waits until all have ended") {
  baton::signal bell;
  int heard = 0, cancelled = 0;
  bool joined = false;
  auto parent = [&]() -> task<> {
    async::scope children;
    children.spawn(wait_for(bell, heard, cancelled));
    children.spawn([](baton::signal& b, int& h, int& c) -> task<> {
      async::scope grandchildren;
      grandchildren.spawn(wait_for(b, h, c));
      co_await grandchildren.join();
    }(bell, heard, cancelled));
    co_await children.join();
    CHECK_EQ(cancelled, 2);
    joined = true;
  };
  async::scope s;
  s.spawn(parent());
  scheduler::run();
  CHECK_EQ(s.running(), 1u);
  s.stop();
  scheduler::run();
  CHECK(joined);
  CHECK_EQ(s.running(), 0u);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("destroying what is suspended runs each destructor once and leaves no list with a dead waiter") {
  baton::signal bell;
  channel<int> numbers;
  int ended = 0;
  {
    async::scope s;
    for (int i = 0; i < 3; ++i) s.spawn(outer(bell, ended));
    s.spawn([](channel<int>& c, int& n) -> task<> {
      count_at_end counted(n);
      int value = 0;
      static_cast<void>(co_await async::within(milliseconds(5), c.receive(value)));
    }(numbers, ended));
    s.spawn([](int& n) -> task<> {
      count_at_end counted(n);
      co_await async::sleep_for(milliseconds(7));
    }(ended));
    scheduler::run_until_idle();
    bell.set();                   // one is ready, and holds the signal
    s.spawn(outer(bell, ended));  // one has not begun
    s.destroy_all();
    CHECK_EQ(s.running(), 0u);
  }
  CHECK_EQ(ended, 8);  // 3 for each of two coroutines, 2 for one; the last one never began
  CHECK_EQ(async::frames().frames, 0u);
  bell.set();
  CHECK(bell.try_take());
  CHECK_EQ(numbers.try_send(1), status::full);
  scheduler::run();
}

TEST_CASE("destroying a coroutine destroys those in the scope that it joins") {
  baton::signal bell;
  int ended = 0;
  {
    async::scope s;
    s.spawn([](baton::signal& b, int& n) -> task<> {
      count_at_end counted(n);
      async::scope children;
      children.spawn(outer(b, n));
      children.spawn([](int& to) -> task<> {
        count_at_end other(to);
        async::scope grandchildren;
        grandchildren.spawn([](int& last) -> task<> {
          count_at_end third(last);
          co_await async::sleep_for(seconds(1));
        }(to));
        co_await grandchildren.join();
      }(n));
      co_await children.join();
    }(bell, ended));
    scheduler::run_until_idle();
    s.destroy_all();
  }
  CHECK_EQ(ended, 5);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("what was stopped and has not run since is destroyed too, with those that it joins") {
  baton::signal bell;
  int ended = 0;
  {
    async::scope s;
    s.spawn([](baton::signal& b, int& n) -> task<> {
      count_at_end counted(n);
      async::scope children;
      for (int i = 0; i < 3; ++i) children.spawn(outer(b, n));
      co_await children.join();
    }(bell, ended));
    s.spawn(outer(bell, ended));
    scheduler::run_until_idle();
    s.stop();
    s.destroy_all();
    CHECK_EQ(s.running(), 0u);
  }
  CHECK_EQ(ended, 9);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("nobody runs who was destroyed while it joined") {
  baton::signal bell;
  int ended = 0;
  async::scope s;
  s.spawn([](baton::signal& b, int& n) -> task<> {
    count_at_end counted(n);
    async::scope children;
    children.spawn(outer(b, n));
    co_await children.join();
  }(bell, ended));
  scheduler::run_until_idle();
  s.destroy_all();
  CHECK_EQ(ended, 3);
  CHECK(!scheduler::run_one());
}

TEST_CASE("a value that was handed to a coroutine that is destroyed before it ran is counted") {
  channel<int> numbers;
  async::scope s;
  s.spawn([](channel<int>& c) -> task<> {
    int value = 0;
    static_cast<void>(co_await c.receive(value));
  }(numbers));
  s.spawn([](channel<int>& c) -> task<> {
    int value = 0;
    static_cast<void>(co_await async::within(seconds(1), c.receive(value)));
  }(numbers));
  scheduler::run_until_idle();
  const uint16_t before = dropped_values();
  CHECK_EQ(numbers.try_send(1), status::ok);
  CHECK_EQ(numbers.try_send(2), status::ok);
  s.destroy_all();
  CHECK_EQ(dropped_values() - before, 2);
  CHECK_EQ(async::frames().frames, 0u);
}
