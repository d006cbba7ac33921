// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/check.hpp>

using namespace baton;
using async::task;

namespace {

/// Runs a coroutine to its end, or until nothing can happen any more. false: it has not ended.
bool run(task<> t) {
  async::scope s;
  s.spawn(static_cast<task<>&&>(t));
  scheduler::run();
  const bool has_ended = s.running() == 0;
  s.destroy_all();
  return has_ended;
}

task<int> square(int i) {
  co_return i* i;
}

/// A result of forty bytes with a destructor.
struct large {
  explicit large(int n) : bytes{static_cast<char>(n)} {}
  large(large&& other) noexcept : bytes{other.bytes[0]} {}
  large(const large&) = delete;
  ~large() { bytes[0] = 0; }
  char bytes[40];
};

task<large> large_of(int n) {
  co_return large(n);
}

/// A board under an emulator is slower than this machine.
constexpr int many = test::is_small_target ? 20000 : 1000000;
constexpr int depth = test::is_small_target ? 200 : 1000;

/// The position of the stack, by the address of a local of a call; a frame's address would not show
/// it.
__attribute__((noinline)) uintptr_t stack_now() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

}  // namespace

TEST_CASE("a task begins when it is awaited and gives its result") {
  int sum = 0;
  bool has_begun = false;
  auto lazy = [](bool& begun) -> task<int> {
    begun = true;
    co_return 4;
  };
  auto body = [&]() -> task<> {
    task<int> t = lazy(has_begun);
    CHECK(!has_begun);
    sum += co_await static_cast<task<int>&&>(t);
    CHECK(has_begun);
    sum += co_await square(3);
    CHECK_EQ((co_await large_of(40)).bytes[0], 40);
  };
  CHECK(run(body()));
  CHECK_EQ(sum, 13);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("awaits in a row, and a chain of many, take no stack") {
  uintptr_t lowest = UINTPTR_MAX, highest = 0;
  auto leaf = [&]() -> task<int> {
    const uintptr_t here = stack_now();
    lowest = here < lowest ? here : lowest;
    highest = here > highest ? here : highest;
    co_return 1;
  };
  struct chain {
    static task<int> of(int left, decltype(leaf)& last) {
      if (left == 0) co_return co_await last();
      co_return 1 + co_await of(left - 1, last);
    }
  };
  long sum = 0;
  auto body = [&]() -> task<> {
    for (int i = 0; i < many; ++i) sum += co_await leaf();
    sum += co_await chain::of(depth, leaf);
  };
  CHECK(run(body()));
  CHECK_EQ(sum, many + depth + 1);
  CHECK(highest - lowest < 256 * 1024);  // the transfers of one turn, if the compiler makes no tail call of them
}

TEST_CASE("a task that is not awaited is destroyed with its arguments") {
  struct counted {
    explicit counted(int& c) : count(&c) { ++*count; }
    counted(counted&& other) noexcept : count(other.count) { ++*count; }
    ~counted() { --*count; }
    int* count;
  };
  int alive = 0;
  {
    [[maybe_unused]] task<> t = [](counted) -> task<> { co_return; }(counted(alive));
    CHECK_EQ(alive, 1);
  }
  CHECK_EQ(alive, 0);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("frames are used again, and counted") {
  const async::frame_statistics before = async::frames();
  for (int i = 0; i < 1000; ++i) {
    [[maybe_unused]] task<int> t = square(i);
    CHECK_EQ(async::frames().frames, 1u);
  }
  CHECK_EQ(async::frames().live, 0u);
  CHECK(async::frames().held - before.held <= 4096u);
}
