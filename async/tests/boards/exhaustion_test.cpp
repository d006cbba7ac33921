// SPDX-License-Identifier: MIT
//
// A pool of fixed memory that is exhausted: an empty task, or a requirement that does not hold;
// never the heap.
#include "pool.hpp"

using namespace baton;
using async::scope;
using async::task;

namespace {

uint16_t runs;

task<> counts() {
  ++runs;
  co_return;
}

task<> waits(semaphore& gate) {
  static_cast<void>(co_await gate.acquire());
  ++runs;
}

/// A frame above the largest class of the pool.
task<> holds_much(semaphore& gate) {
  char much[async::detail::frame_pool::classes * async::detail::frame_pool::step] = {1};
  __asm__ volatile("" ::"r"(much) : "memory");  // uses all of it, before the wait and after it
  static_cast<void>(co_await gate.acquire());
  __asm__ volatile("" ::"r"(much) : "memory");
  runs = static_cast<uint16_t>(runs + much[0]);
}

/// A frame of the pool. If only its caller used it, the compiler (clang does so) could put it into
/// the caller's frame, or on the stack.
__attribute__((noinline)) task<> counts_in_the_pool() {
  return counts();
}
__attribute__((noinline)) bool has_frame(task<> t) {
  return t.has_frame();
}

task<> tells_of_a_child(bool& had_frame) {
  task<> child = counts_in_the_pool();
  had_frame = child.has_frame();
  if (had_frame) co_await static_cast<task<>&&>(child);
}

}  // namespace

TEST_CASE("a pool that is used up gives a task without a frame, and has one again when one has ended") {
  fixed_pool<words(64)> pool;
  semaphore gate(0);
  scope all;
  uint8_t started = 0;
  for (;;) {
    task<> t = waits(gate);
    if (!t.has_frame()) break;
    all.spawn(static_cast<task<>&&>(t));
    ++started;
  }
  CHECK(started >= 1);
  CHECK(started < 16);
  const size_t all_of_it = async::frames().live;
  CHECK(!has_frame(waits(gate)));
  scheduler::run_until_idle();
  gate.release();
  scheduler::run();
  CHECK_EQ(all.running(), started - 1);
  CHECK(has_frame(waits(gate)));
  CHECK(async::frames().live < all_of_it);
  CHECK_EQ(async::frames().most, all_of_it);
  for (uint8_t i = 1; i < started; ++i) gate.release();
  scheduler::run();
  CHECK_EQ(all.running(), 0);
}

TEST_CASE("a task without a frame is not to be spawned") {
  fixed_pool<words(64)> pool;
  CHECK(has_frame(counts()));
  scope all;
  task<> empty;
  CHECK_TRAPS(spawn_without_frame, all.spawn(static_cast<task<>&&>(empty)));
  CHECK_EQ(all.running(), 0);
}

TEST_CASE("a coroutine sees that there is no frame for one that it would await") {
  fixed_pool<words(48)> pool;
  semaphore gate(0);
  scope all;
  bool had_frame = true;
  all.spawn(tells_of_a_child(had_frame));
  uint8_t waiting = 0;
  for (;;) {
    task<> t = waits(gate);
    if (!t.has_frame()) break;
    all.spawn(static_cast<task<>&&>(t));
    ++waiting;
  }
  // The rest may suffice for a smaller frame, so the test uses it up, too.
  [[maybe_unused]] task<> last = counts_in_the_pool();
  [[maybe_unused]] task<> very_last = counts_in_the_pool();
  runs = 0;
  scheduler::run_until_idle();
  CHECK(!had_frame);
  CHECK_EQ(runs, 0);
  for (uint8_t i = 0; i < waiting; ++i) gate.release();
  scheduler::run();
  CHECK_EQ(all.running(), 0);
}

TEST_CASE("ten thousand coroutines run in the memory of one, one after the other") {
  fixed_pool<words(40)> pool;
  scope all;
  runs = 0;
  for (uint16_t i = 0; i < 10000; ++i) {
    all.spawn(counts());
    scheduler::run();
  }
  CHECK_EQ(runs, 10000);
  CHECK(async::frames().most <= words(40));
}

TEST_CASE("a frame larger than the largest class is used again, too") {
  using async::detail::frame_pool;
  static async::frame_memory<frame_pool::classes * frame_pool::step + words(60)> memory;
  frame_pool::own() = {};
  async::use_for_frames(memory);
  semaphore gate(0);
  scope all;
  runs = 0;
  for (uint8_t i = 0; i < 100; ++i) {
    all.spawn(holds_much(gate));
    CHECK(!has_frame(holds_much(gate)));
    scheduler::run_until_idle();
    gate.release();
    scheduler::run();
  }
  CHECK_EQ(runs, 100);
  CHECK_EQ(async::frames().frames, 0);
  CHECK_EQ(async::frames().live, 0);
  CHECK_EQ(async::frames().held, sizeof memory);
  frame_pool::own() = {};
}
