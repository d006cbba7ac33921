// SPDX-License-Identifier: MIT
//
// Prints the memory that the pool gives for each of three coroutines. frames_agree.py compares it
// with the compiler's figures. With BATON_MUTANT one of them keeps more.
#include <baton/async.hpp>
#include <baton/board.hpp>

#ifndef BATON_MUTANT
#define BATON_MUTANT 0
#endif

using baton::async::task;

namespace {

baton::async::frame_memory<200 * sizeof(void*)> memory;
baton::channel<uint16_t> pipe;

__attribute__((noinline)) task<> ends() {
  co_return;
}

__attribute__((noinline)) task<> sends(uint16_t count) {
  for (uint16_t i = 0; i < count; ++i) static_cast<void>(co_await pipe.send(i));
}

__attribute__((noinline)) task<uint32_t> keeps(const char* from) {
  char kept[20 + 60 * BATON_MUTANT];
  for (char& c : kept) c = *from++;
  __asm__ volatile("" ::"r"(kept) : "memory");
  co_await baton::async::sleep_for(baton::ticks(1));
  __asm__ volatile("" ::"r"(kept) : "memory");
  co_return static_cast<uint32_t>(kept[3]);
}

void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

void say_number(size_t n) {
  if (n >= 10) say_number(n / 10);
  baton::board::console::put(static_cast<char>('0' + n % 10));
}

/// The memory of a task's frame, as the pool counts it.
template <typename T>
__attribute__((noinline)) void tell(const char* name, const task<T>& t) {
  say(t.has_frame() ? "" : "no frame for ");
  say(name);
  say(" ");
  say_number(baton::async::frames().live);
  say("\n");
}

}  // namespace

int main() {
  baton::board::start();
  baton::async::use_for_frames(memory);
  {
    const task<> t = ends();
    tell("ends()", t);
  }
  {
    const task<> t = sends(3);
    tell("sends", t);
  }
  {
    const task<uint32_t> t = keeps("a text that is longer than what is kept of it, by some more letters than eighty");
    tell("keeps", t);
  }
  baton::board::finish(0);
}
