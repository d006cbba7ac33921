// SPDX-License-Identifier: MIT
#include <array>
#include <baton/async.hpp>
#include <baton/async/when.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <utility>
#include <vector>

// Results that are references, can only be moved, or have no default constructor.

using namespace baton;
using async::result;
using async::task;

namespace {

/// Has no default constructor, and can only be moved.
struct precious {
  explicit precious(int n) : value(std::make_unique<int>(n)) {}
  std::unique_ptr<int> value;
};

task<int&> at(std::array<int, 3>& of, size_t i) {
  co_await async::sleep_for(milliseconds(static_cast<uint32_t>(3 - i)));
  co_return of[i];
}

task<precious> makes(int n) {
  co_await async::yield();
  co_return precious(n);
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

TEST_CASE("a task of a reference gives the object itself, awaited, in time, joined, of a set and of several") {
  auto body = []() -> task<> {
    std::array<int, 3> numbers = {10, 11, 12};
    co_await at(numbers, 1) = 21;
    CHECK_EQ(numbers[1], 21);
    const result<int&> in_time = co_await async::within(milliseconds(5), at(numbers, 0));
    CHECK_EQ(&*in_time, numbers.data());
    const result<int&> late = co_await async::within(milliseconds(1), at(numbers, 0));
    CHECK_EQ(late.status(), status::timed_out);
    async::scope s;
    auto h = async::spawn(s, at(numbers, 2));
    const result<int&> joined = co_await h.join();
    CHECK_EQ(&joined.value(), &numbers[2]);
    async::task_set<int&> set;
    CHECK_EQ(set.spawn(at(numbers, 0)), status::ok);
    CHECK_EQ(set.spawn(at(numbers, 1)), status::ok);
    const result<int&> first = co_await set.next();
    CHECK_EQ(&*first, &numbers[1]);
    auto [a, b] = co_await async::when_all(at(numbers, 0), at(numbers, 2));
    CHECK_EQ(&a.get(), numbers.data());
    CHECK_EQ(&b.get(), &numbers[2]);
    auto one = co_await async::when_any(at(numbers, 0), at(numbers, 2));
    CHECK_EQ(&std::get<1>(one).get(), &numbers[2]);
    co_await set.join();
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a result that can only be moved and has no default comes through every wait for a task") {
  auto body = []() -> task<> {
    const precious awaited = co_await makes(1);
    CHECK_EQ(*awaited.value, 1);
    result<precious> in_time = co_await async::within(milliseconds(5), makes(2));
    CHECK_EQ(*in_time->value, 2);
    const precious taken = std::move(in_time).value();
    CHECK_EQ(*taken.value, 2);
    async::scope s;
    auto h = async::spawn(s, makes(3));
    const result<precious> joined = co_await h.join();
    CHECK_EQ(*joined->value, 3);
    auto [a, b] = co_await async::when_all(makes(4), makes(5));
    CHECK_EQ(*a.value + *b.value, 9);
    std::vector<task<precious>> many;
    for (int i = 0; i != 3; ++i) many.push_back(makes(i));
    const std::vector<precious> all = co_await async::when_all(std::move(many));
    CHECK_EQ(*all[2].value, 2);
    const auto first = co_await async::when_any(makes(6), makes(7));
    CHECK_EQ(*std::get<0>(first).value, 6);
    async::stop_source source;
    const result<precious> until = co_await async::until_stop(source.token(), makes(8));
    CHECK_EQ(*until->value, 8);
    auto named = async::as_case(makes(9));
    const async::selection won = co_await async::select(named, async::sleep_for(seconds(1)));
    CHECK_EQ(won.index, 0);
    CHECK_EQ(*named.result().value, 9);
    co_await s.join();
  };
  run(body);
}
