// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>

using namespace baton;
using async::result;
using async::task;
using async::task_set;

namespace {

/// Gives `n` after so many milliseconds, or minus `n` if it is stopped.
task<int> after(uint32_t ms, int n) {
  const status how = co_await async::sleep_for(milliseconds(ms));
  co_return how == status::ok ? n : -n;
}

/// The results of a set in the order in which they come, and how it ends.
task<> take_all(task_set<int>& from, std::string& to) {
  for (;;) {
    const result<int> r = co_await from.next();
    if (!r) {
      to += r.status() == status::closed ? "closed" : r.status() == status::cancelled ? "cancelled" : "?";
      co_return;
    }
    to += std::to_string(*r) + ' ';
  }
}

/// Does something in its turn, between two other coroutines.
template <typename Act>
task<> in_turn(Act act) {
  act();
  co_return;
}

template <typename Body>
void run(Body body) {
  async::scope s;
  s.spawn(body());
  scheduler::run();
  CHECK_EQ(s.running(), 0u);
  s.destroy_all();
  CHECK_EQ(async::frames().frames, 0u);
}

}  // namespace

TEST_CASE("the results of a set come in the order in which its tasks end, and then it is closed") {
  auto body = []() -> task<> {
    std::string seen;
    task_set<int> set;
    CHECK(set.is_empty());
    CHECK_EQ(set.spawn(after(30, 1)), status::ok);
    CHECK_EQ(set.spawn(after(10, 2)), status::ok);
    CHECK_EQ(set.spawn(after(20, 3)), status::ok);
    CHECK_EQ(set.size(), 3u);
    co_await take_all(set, seen);
    CHECK_EQ(seen, "2 3 1 closed");
    CHECK_EQ(port::now(), milliseconds(30));
    CHECK(set.is_empty());
  };
  run(body);
}

TEST_CASE("results wait for who asks later, and a set that was empty can be used again") {
  auto body = []() -> task<> {
    std::string seen;
    task_set<int> set;
    CHECK_EQ(set.spawn(after(3, 1)), status::ok);
    CHECK_EQ(set.spawn(after(2, 2)), status::ok);
    co_await async::sleep_for(milliseconds(5));
    CHECK_EQ(set.running(), 0u);
    CHECK_EQ(set.size(), 2u);
    CHECK_EQ(set.spawn(after(1, 3)), status::ok);
    co_await take_all(set, seen);
    CHECK_EQ(set.spawn(after(1, 4)), status::ok);
    co_await take_all(set, seen);
    CHECK_EQ(seen, "2 1 3 closed4 closed");
  };
  run(body);
}

TEST_CASE("each of several coroutines that wait takes another result, and the others hear that the set is empty") {
  auto body = []() -> task<> {
    std::string first, second, third;
    task_set<int> set;
    async::scope takers;
    CHECK_EQ(set.spawn(after(1, 1)), status::ok);
    CHECK_EQ(set.spawn(after(2, 2)), status::ok);
    takers.spawn(take_all(set, first));
    takers.spawn(take_all(set, second));
    takers.spawn(take_all(set, third));
    co_await takers.join();
    CHECK_EQ(first, "1 closed");
    CHECK_EQ(second, "2 closed");
    CHECK_EQ(third, "closed");
  };
  run(body);
}

TEST_CASE("tasks of a set may spawn in it") {
  struct recursion {
    static task<int> count(task_set<int>& in, int n) {
      co_await async::yield();
      if (n != 1) CHECK_EQ(in.spawn(count(in, n - 1)), status::ok);
      co_return n;
    }
  };
  auto body = []() -> task<> {
    std::string seen;
    task_set<int> set;
    CHECK_EQ(set.spawn(recursion::count(set, 5)), status::ok);
    co_await take_all(set, seen);
    CHECK_EQ(seen, "5 4 3 2 1 closed");
  };
  run(body);
}

TEST_CASE("a stopped set gives what its tasks return, and a join leaves the results in it") {
  auto body = []() -> task<> {
    std::string seen;
    task_set<int> set;
    CHECK_EQ(set.spawn(after(1000, 1)), status::ok);
    CHECK_EQ(set.spawn(after(1, 2)), status::ok);
    co_await async::sleep_for(milliseconds(5));
    set.stop();
    CHECK(set.is_stopping());
    co_await set.join();
    CHECK_EQ(port::now(), milliseconds(5));
    CHECK_EQ(set.size(), 2u);
    co_await take_all(set, seen);
    CHECK_EQ(seen, "2 -1 closed");
  };
  run(body);
}

TEST_CASE("a stop of who joins a set reaches its tasks") {
  std::string seen;
  async::scope s;
  auto joins = [](std::string& to) -> task<> {
    task_set<int> set;
    CHECK_EQ(set.spawn(after(1000, 1)), status::ok);
    co_await set.join();
    CHECK_EQ(port::now(), 0u);
    const result<int> nothing = co_await set.next();
    to = nothing.status() == status::cancelled ? "cancelled" : "?";
  };
  s.spawn(joins(seen));
  scheduler::run_until_idle();
  s.stop();
  scheduler::run();
  CHECK_EQ(seen, "cancelled");
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("a wait for the next result that ends early takes none") {
  auto body = []() -> task<> {
    std::string seen;
    task_set<int> set;
    CHECK_EQ(set.spawn(after(5, 1)), status::ok);
    const result<int> late = co_await async::within(milliseconds(2), set.next());
    CHECK_EQ(late.status(), status::timed_out);
    async::scope takers;
    takers.spawn(take_all(set, seen));
    co_await async::yield();
    takers.stop();
    co_await takers.join();
    CHECK_EQ(seen, "cancelled");
    async::stop_source source;
    const result<int> until = co_await async::until_stop(source.token(), set.next());
    CHECK_EQ(until.value_or(0), 1);
    CHECK_EQ(port::now(), milliseconds(5));
  };
  run(body);
}

TEST_CASE("results that can only be moved, and tasks without a result") {
  auto body = []() -> task<> {
    auto makes = [](int n) -> task<std::unique_ptr<int>> {
      co_await async::yield();
      co_return std::make_unique<int>(n);
    };
    task_set<std::unique_ptr<int>> set;
    CHECK_EQ(set.spawn(makes(7)), status::ok);
    CHECK_EQ(set.spawn(makes(8)), status::ok);
    {
      const result<std::unique_ptr<int>> r = co_await set.next();
      CHECK_EQ(**r, 7);
    }
    // The other one is destroyed with the set.
    auto nothing = []() -> task<> { co_await async::yield(); };
    task_set<> voids;
    CHECK_EQ(voids.spawn(nothing()), status::ok);
    const result<void> ended = co_await voids.next();
    CHECK(ended.has_value());
    const result<void> none = co_await voids.next();
    CHECK_EQ(none.status(), status::closed);
    co_await set.join();
  };
  run(body);
}

TEST_CASE("a set that is destroyed with its owner destroys its tasks, and who waits for it hears of it") {
  std::string seen;
  async::scope s;
  async::scope takers;
  auto owns = [](async::scope& in, std::string& to) -> task<> {
    task_set<int> set;
    CHECK_EQ(set.spawn(after(1000, 1)), status::ok);
    CHECK_EQ(set.spawn(after(1, 2)), status::ok);
    in.spawn(take_all(set, to));
    in.spawn(take_all(set, to));
    co_await async::sleep_for(seconds(2));
  };
  s.spawn(owns(takers, seen));
  auto destroys = [](async::scope& one) -> task<> {
    co_await async::sleep_for(milliseconds(5));
    one.destroy_all();
  };
  async::scope other;
  other.spawn(destroys(s));
  scheduler::run();
  CHECK_EQ(s.running(), 0u);
  CHECK_EQ(seen, "2 closedclosed");
  CHECK_EQ(takers.running(), 0u);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a result that was given to a coroutine that is destroyed before it runs is the next one again") {
  std::string seen, later;
  task_set<int> set;
  async::scope takers;
  async::scope other;
  auto waits = [](baton::signal& by, int n) -> task<int> {
    static_cast<void>(co_await by.wait());
    co_return n;
  };
  baton::signal bell;
  takers.spawn(take_all(set, seen));
  CHECK_EQ(set.spawn(waits(bell, 1)), status::ok);
  CHECK_EQ(set.spawn(after(1, 2)), status::ok);
  scheduler::run_until_idle();
  bell.set();
  bool was_given = false;
  other.spawn(in_turn([&] {
    was_given = set.running() == 1;
    takers.destroy_all();
  }));
  scheduler::run_until_idle();
  CHECK(was_given);
  CHECK_EQ(seen, "");
  CHECK_EQ(set.size(), 2u);
  takers.spawn(take_all(set, later));
  scheduler::run();
  CHECK_EQ(later, "1 2 closed");
}

TEST_CASE("a result that was given outlives its set, for the coroutine that runs or is destroyed then") {
  for (bool runs : {false, true}) {
    std::string seen;
    auto set = std::make_unique<task_set<int>>();
    async::scope takers;
    async::scope other;
    auto takes_one = [](task_set<int>& from, std::string& to) -> task<> {
      const result<int> r = co_await from.next();
      to = std::to_string(r.value_or(0));
    };
    baton::signal bell;
    auto waits = [](baton::signal& by) -> task<int> {
      static_cast<void>(co_await by.wait());
      co_return 3;
    };
    CHECK_EQ(set->spawn(waits(bell)), status::ok);
    takers.spawn(takes_one(*set, seen));
    scheduler::run_until_idle();
    bell.set();
    const uint16_t before = dropped_values();
    bool had_ended = false;
    other.spawn(in_turn([&] {
      had_ended = set->running() == 0;
      set.reset();
      if (!runs) takers.destroy_all();
    }));
    scheduler::run_until_idle();
    CHECK(had_ended);
    CHECK_EQ(seen, runs ? "3" : "");
    CHECK_EQ(dropped_values() - before, runs ? 0 : 1);
    CHECK_EQ(takers.running(), 0u);
    CHECK_EQ(async::frames().frames, 0u);
  }
}
