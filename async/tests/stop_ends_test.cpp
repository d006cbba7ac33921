// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <baton/async/shield.hpp>
#include <baton/async/stop_within.hpp>
#include <baton/test/trace.hpp>
#include <memory>
#include <string>
#include <vector>

// A stop always ends: what a stopped coroutine may do, for how long, and what names it.

using namespace baton;
using async::task;

namespace {

/// The coroutines that were destroyed in a test, as their hook is told.
std::vector<async::destroyed_coroutine> told;

struct told_of_destroyed {
  told_of_destroyed() {
    told.clear();
    async::on_destroyed() = [](const async::destroyed_coroutine& c) noexcept { told.push_back(c); };
  }
  told_of_destroyed(const told_of_destroyed&) = delete;
  ~told_of_destroyed() { async::on_destroyed() = nullptr; }
};

struct counts_end {
  explicit counts_end(int& n) : ended(&n) {}
  counts_end(const counts_end&) = delete;
  ~counts_end() { ++*ended; }
  int* ended;
};

/// Ignores the outcome of every wait.
template <typename Wait>
task<> waits_for_ever(int& waits, int& ended, Wait wait) {
  counts_end c(ended);
  for (;;) {
    ++waits;
    static_cast<void>(co_await wait());
  }
}

task<> outer(task<> inner, int& ended) {
  counts_end c(ended);
  co_await std::move(inner);
}

}  // namespace

TEST_CASE("a coroutine that ignores 64 cancelled waits in a row is destroyed, from the innermost frame, and named") {
  const told_of_destroyed hook;
  async::scope all;
  baton::signal never;
  channel<int> numbers;
  async::mutex held;
  CHECK(held.try_lock());
  int waits = 0, ended = 0;
  all.spawn(outer(waits_for_ever(waits, ended, [&] { return never.wait(); }), ended));
  all.spawn(outer(waits_for_ever(waits, ended, [] { return async::sleep_for(1_s); }), ended));
  all.spawn(outer(waits_for_ever(waits, ended, [&] { return async::receive(numbers); }), ended));
  all.spawn(outer(waits_for_ever(waits, ended, [&] { return async::within(1_s, held.lock()); }), ended));
  all.spawn(outer(waits_for_ever(waits, ended, [&] { return async::select(never.wait(), held.lock()); }), ended));
  scheduler::run_until_idle();
  CHECK_EQ(waits, 5);
  all.stop();
  scheduler::run_until_idle();
  CHECK_EQ(waits, 5 * 65);
  CHECK_EQ(ended, 10);
  CHECK_EQ(all.running(), 0u);
  CHECK_EQ(told.size(), 5u);
  for (const async::destroyed_coroutine& c : told) {
    CHECK(c.why == async::destroyed_because::ignored_cancels);
    CHECK(c.code != nullptr);
    CHECK(std::string(c.file).find("stop_ends_test.cpp") != std::string::npos);
    CHECK_EQ(c.line, 43u);
  }
}

TEST_CASE("an outcome other than cancelled begins the count anew") {
  const told_of_destroyed hook;
  async::scope all;
  baton::signal never;
  int rounds = 0;
  all.spawn([](baton::signal& s, int& n) -> task<> {
    while (n < 10) {
      for (int i = 0; i < 63; ++i) static_cast<void>(co_await s.wait());
      async::scope inner;
      inner.spawn([]() -> task<> { co_return; }());
      co_await inner.join();
      ++n;
    }
  }(never, rounds));
  all.stop();
  scheduler::run_until_idle();
  CHECK_EQ(rounds, 10);
  CHECK_EQ(all.running(), 0u);
  CHECK(told.empty());
}

TEST_CASE("a loop that is stopped with a limit ends, whatever its coroutines do") {
  const told_of_destroyed hook;
  int ended = 0;
  auto l = std::make_unique<async::loop>();
  l->spawn([](int& n) -> task<> {  // yields for ever
    counts_end c(n);
    for (;;) {
      co_await async::yield{};
      sim::advance(1_us);
    }
  }(ended));
  l->spawn([](int& n) -> task<> {  // keeps a scope whose coroutines wait behind shields
    counts_end c(n);
    async::scope inner;
    inner.spawn([](int& m) -> task<> {
      counts_end d(m);
      static_cast<void>(co_await async::shield(1_s, async::sleep_for(1_s)));
    }(n));
    co_await inner.join();
  }(ended));
  l->spawn([](async::loop& on) -> task<> {
    static_cast<void>(co_await async::sleep_for(1_ms));
    on.stop(50_ms);
  }(*l));
  l->run();
  CHECK_EQ(ended, 3);
  CHECK(port::now() >= milliseconds(51));
  CHECK(port::now() < milliseconds(60));
  CHECK_EQ(told.size(), 2u);
  CHECK(told[0].why == async::destroyed_because::limit_reached);
}

TEST_CASE("stop_within ends by itself when all have ended, and destroys what has not at its limit") {
  const told_of_destroyed hook;
  std::string log;
  auto l = std::make_unique<async::loop>();
  l->spawn([](std::string& to) -> task<> {
    async::scope quick, slow;
    baton::signal never;
    quick.spawn([](baton::signal& s) -> task<> { static_cast<void>(co_await s.wait()); }(never));
    slow.spawn([](std::string& on) -> task<> {
      struct says {
        std::string* log;
        ~says() { *log += "gone "; }
      } s{&on};
      static_cast<void>(co_await async::shield(1_s, async::sleep_for(1_s)));
      on += "never ";
    }(to));
    co_await async::yield{};
    status how = co_await async::stop_within(100_ms, quick);
    to += how == status::ok ? "ok " : "? ";
    CHECK_EQ(port::now(), 0u);
    how = co_await async::stop_within(100_ms, slow);
    to += how == status::timed_out ? "timed_out " : "? ";
    CHECK_EQ(port::now(), milliseconds(100));
  }(log));
  l->run();
  CHECK_EQ(log, "ok gone timed_out ");
  CHECK_EQ(told.size(), 1u);
}

TEST_CASE("a shield lets a stopped coroutine wait, to its limit") {
  std::string log;
  auto l = std::make_unique<async::loop>();
  channel<int> out;
  l->spawn([](std::string& to, channel<int>& c, async::loop& on) -> task<> {
    on.stop();
    int goodbye = 1;
    CHECK_EQ(co_await c.send(goodbye), status::cancelled);
    status how = co_await async::shield(100_ms, c.send(goodbye));
    to += how == status::timed_out ? "nobody hears " : "? ";
    CHECK_EQ(port::now(), milliseconds(100));
    how = co_await async::shield(100_ms, async::sleep_for(30_ms));
    to += how == status::ok ? "slept " : "? ";
    CHECK_EQ(port::now(), milliseconds(130));
    async::result<int> n = co_await async::shield(100_ms, []() -> task<int> {
      static_cast<void>(co_await async::sleep_for(1_ms));
      co_return 5;
    }());
    to += std::to_string(n.value_or(0));
  }(log, out, *l));
  l->run();
  CHECK_EQ(log, "nobody hears slept 5");
}

TEST_CASE("a stopped coroutine that goes on by shields is destroyed after 64 of them") {
  const told_of_destroyed hook;
  int shields = 0, ended = 0;
  async::scope all;
  all.spawn([](int& n, int& e) -> task<> {
    counts_end c(e);
    for (;;) {
      ++n;
      static_cast<void>(co_await async::shield(1_s, async::sleep_for(1_ms)));
    }
  }(shields, ended));
  all.stop();
  scheduler::run();
  CHECK_EQ(ended, 1);
  CHECK_EQ(told.size(), 1u);
  CHECK(shields <= 65);
}

TEST_CASE("a shielded task's exception comes out of the shield") {
  async::scope all;
  std::string log;
  all.spawn([](std::string& to) -> task<> {
    try {
      static_cast<void>(co_await async::shield(1_s, []() -> task<int> {
        throw 5;
        co_return 1;
      }()));
    } catch (int n) {
      to += std::to_string(n);
    }
  }(log));
  all.stop();
  scheduler::run();
  CHECK_EQ(log, "5");
}

TEST_CASE("a chain of a million frames is destroyed without the stack's depth") {
  struct deep {
    static task<> down(int left, baton::signal& s) {
      if (left == 0) {
        static_cast<void>(co_await s.wait());
      } else {
        co_await down(left - 1, s);
      }
    }
  };
  baton::signal never;
  async::scope all;
  const size_t before = async::frames().frames;
  all.spawn(deep::down(1000000, never));
  scheduler::run_until_idle();
  CHECK_EQ(async::frames().frames - before, 1000001u);
  all.destroy_all();
  CHECK_EQ(async::frames().frames, before);
}
