// SPDX-License-Identifier: MIT
#include <array>
#include <baton/async.hpp>
#include <baton/async/when.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace baton;
using async::task;

namespace {

template <typename T>
task<T> after(duration length, T value, int* cancelled = nullptr) {
  const status s = co_await async::sleep_for(length);
  if (s == status::cancelled && cancelled) ++*cancelled;
  co_return std::move(value);
}

task<> only_wait(duration length) {
  co_await async::sleep_for(length);
}

bool run(task<> t) {
  async::scope s;
  s.spawn(static_cast<task<>&&>(t));
  scheduler::run();
  const bool has_ended = s.running() == 0;
  s.destroy_all();
  return has_ended;
}

}  // namespace

TEST_CASE("when_all waits for all, side by side, and gives all results") {
  auto body = []() -> task<> {
    auto [a, b, c] = co_await async::when_all(after(milliseconds(30), 7), after(milliseconds(10), std::string("text")),
                                              only_wait(milliseconds(20)));
    CHECK_EQ(a, 7);
    CHECK_EQ(b, "text");
    static_cast<void>(c);
    CHECK_EQ(port::now(), milliseconds(30));
  };
  CHECK(run(body()));
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("when_any gives the first, and stops the others before it goes on") {
  int cancelled = 0;
  auto body = [&]() -> task<> {
    auto first = co_await async::when_any(after(seconds(1), 7, &cancelled), after(milliseconds(5), std::string("fast")),
                                          after(seconds(2), 1.5, &cancelled));
    CHECK_EQ(first.index(), 1u);
    CHECK_EQ(std::get<1>(first), "fast");
    CHECK_EQ(cancelled, 2);
    CHECK_EQ(port::now(), milliseconds(5));
  };
  CHECK(run(body()));
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("when_all of a range gives all results in its order, also those that can only be moved") {
  auto body = []() -> task<> {
    std::vector<task<int>> tasks;
    for (int i = 0; i != 5; ++i) tasks.push_back(after(milliseconds(static_cast<uint32_t>(10 - i)), i));
    const std::vector<int> got = co_await async::when_all(std::move(tasks));
    CHECK_EQ(got, std::vector<int>({0, 1, 2, 3, 4}));
    CHECK_EQ(port::now(), milliseconds(10));
    std::array<task<std::unique_ptr<int>>, 2> two = {after(milliseconds(2), std::make_unique<int>(7)),
                                                     after(milliseconds(1), std::make_unique<int>(8))};
    const std::vector<std::unique_ptr<int>> pointers = co_await async::when_all(std::move(two));
    CHECK_EQ(*pointers[0] + *pointers[1], 15);
  };
  CHECK(run(body()));
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("when_all of a range of tasks without results waits for all, and of an empty one for nothing") {
  auto body = []() -> task<> {
    std::vector<task<>> tasks;
    for (uint32_t i = 1; i != 4; ++i) tasks.push_back(only_wait(milliseconds(i)));
    co_await async::when_all(std::move(tasks));
    CHECK_EQ(port::now(), milliseconds(3));
    co_await async::when_all(std::vector<task<>>());
    const std::vector<int> none = co_await async::when_all(std::vector<task<int>>());
    CHECK(none.empty());
    CHECK_EQ(port::now(), milliseconds(3));
  };
  CHECK(run(body()));
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("when_any of a range gives the first and its index, and stops the others before it goes on") {
  int cancelled = 0;
  auto body = [&]() -> task<> {
    std::vector<task<std::string>> tasks;
    for (uint32_t ms : {30, 10, 20}) tasks.push_back(after(milliseconds(ms), std::to_string(ms), &cancelled));
    const std::pair<size_t, std::string> first = co_await async::when_any(std::move(tasks));
    CHECK_EQ(first.first, 1u);
    CHECK_EQ(first.second, "10");
    CHECK_EQ(cancelled, 2);
    CHECK_EQ(port::now(), milliseconds(10));
    std::vector<task<>> voids;
    for (uint32_t ms : {3, 2, 1}) voids.push_back(only_wait(milliseconds(ms)));
    const size_t which = co_await async::when_any(std::move(voids));
    CHECK_EQ(which, 2u);
    CHECK_EQ(port::now(), milliseconds(11));
  };
  CHECK(run(body()));
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("anything that can be awaited is a part of when_any and when_all") {
  channel<int> numbers;
  baton::signal bell;
  auto body = [&]() -> task<> {
    int value = 0;
    auto first = co_await async::when_any(numbers.receive(value), async::sleep_for(milliseconds(10)), bell.wait(),
                                          after(seconds(1), 7));
    CHECK_EQ(first.index(), 1u);
    CHECK_EQ(std::get<1>(first), status::ok);
    CHECK_EQ(port::now(), milliseconds(10));
    CHECK_EQ(numbers.try_send(1), status::full);  // the receive was withdrawn

    async::scope s;
    auto h = async::spawn(s, after(milliseconds(4), 9));
    auto sends = [](channel<int>& to) -> task<> {
      co_await async::sleep_for(milliseconds(2));
      const status sent = co_await to.send(5);
      CHECK_EQ(sent, status::ok);
    };
    s.spawn(sends(numbers));
    auto [received, joined, late, ended, yielded] =
        co_await async::when_all(async::receive(numbers), h.join(), async::within(milliseconds(3), bell.wait()),
                                 async::within(milliseconds(1), after(seconds(1), 3)), async::yield());
    CHECK_EQ(received.value_or(0), 5);
    CHECK_EQ(joined.value_or(0), 9);
    CHECK_EQ(late, status::timed_out);
    CHECK_EQ(ended.status(), status::timed_out);
    static_cast<void>(yielded);
    static_cast<void>(co_await async::when_all(s.join()));
  };
  CHECK(run(body()));
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("as_task makes a task of an operation, and a stop ends it as it would end the operation") {
  channel<int> numbers;
  async::scope s;
  status how = status::ok;
  auto awaits = [](channel<int>& from, status& to) -> task<> {
    int value = 0;
    to = co_await async::as_task(from.receive(value));
  };
  s.spawn(awaits(numbers, how));
  scheduler::run_until_idle();
  s.stop();
  scheduler::run();
  CHECK_EQ(how, status::cancelled);
  CHECK_EQ(numbers.try_send(1), status::full);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("when_all and when_any that are never awaited begin nothing") {
  int ran = 0;
  auto counts = [](int& n) -> task<> {
    ++n;
    co_return;
  };
  {
    auto all = async::when_all(counts(ran), counts(ran));
    auto any = async::when_any(counts(ran), counts(ran));
    std::vector<task<>> many;
    many.push_back(counts(ran));
    auto range = async::when_any(std::move(many));
    CHECK(all.has_frame());
    CHECK(any.has_frame());
    CHECK(range.has_frame());
  }
  scheduler::run();
  CHECK_EQ(ran, 0);
  CHECK_EQ(async::frames().frames, 0u);
}
