// SPDX-License-Identifier: MIT
//
// The cost of C++20 coroutines that switch, meet, call, begin and end, and of events and timers on
// a loop. bench/suites/README.md describes each case.
#include "async/events.hpp"

#ifdef BATON_SUITE_HAS_THREADS
#include "async/crossing.hpp"
#include "async/pinned.hpp"
#include "async/timers.hpp"
#endif

namespace suite_async {
namespace {

using baton::bench::measure;
using baton::bench::none;
using baton::bench::row;

#define ROW(name, params) row(BATON_TEXT("async"), BATON_TEXT(name), BATON_TEXT(params), operations::count())

void task_cases() {
  measure<switches, none, minimal::switches>(ROW("switch", ""));
  measure<rendezvous, none, minimal::rendezvous>(ROW("rendezvous", ""));
  measure<calls<4>, none, minimal::calls<4>>(ROW("call", "bytes=4"));
#if UINTPTR_MAX > 0xffff
  measure<calls<64>, none, minimal::calls<64>>(ROW("call", "bytes=64"));
  measure<calls<256>, none, minimal::calls<256>>(ROW("call", "bytes=256"));
#endif
  measure<spawns, none, minimal::spawns>(ROW("spawn", ""));
}

#if UINTPTR_MAX > 0xffff
void event_cases() {
  measure<events<false>, none, minimal::events<false>>(
      row(BATON_TEXT("async"), BATON_TEXT("event"), BATON_TEXT("types=predictable"), pushes::count()));
  measure<events<true>, none, minimal::events<true>>(
      row(BATON_TEXT("async"), BATON_TEXT("event"), BATON_TEXT("types=random"), pushes::count()));
}
#endif

#ifdef BATON_SUITE_HAS_THREADS
void timer_cases() {
  measure<timers, none, minimal::timers>(row(BATON_TEXT("async"), BATON_TEXT("timer"), BATON_TEXT(""), arms::count()));
  timer_cancels::begin = baton::port::now();
  const timer_cancels::others pending;
  measure<timer_cancels, none, minimal::timer_cancels>(
      row(BATON_TEXT("async"), BATON_TEXT("timer_cancel"), BATON_TEXT(""), arms::count()));
}
#endif

#ifdef BATON_SUITE_HAS_THREADS
template <uint32_t Producers>
void crossing_case(baton::port::text producers) {
  measure<crossing<Producers>, none, minimal::crossing<Producers>>(
      row(BATON_TEXT("async"), BATON_TEXT("cross_thread"), producers, crossings::count()));
}

/// Threads are not counted where instructions are, because they run in turns there.
void crossing_cases() {
  if (baton::board::meter::counts()) return;
  crossing_case<1>(BATON_TEXT("producers=1"));
  crossing_case<2>(BATON_TEXT("producers=2"));
  crossing_case<4>(BATON_TEXT("producers=4"));
}
#endif

/// Fewer coroutines on machines with little memory.
constexpr uint32_t idle_count = is_small ? 4 : sizeof(void*) == 8 ? 100000 : 100;

/// The bytes of one spawned task, and of a task that waits.
void byte_cases() {
  const size_t before = async::frames().live;
  runner::own().spawn(spawns::end());
  baton::bench::print_size(row(BATON_TEXT("async"), BATON_TEXT("spawn"), BATON_TEXT("by=pool"), 1),
                           static_cast<uint32_t>(async::frames().live - before));
  runner::own().run();
  const size_t bytes = idle_tasks::bytes(idle_count);
  if (wrong) __builtin_trap();
  baton::bench::print_size(row(BATON_TEXT("async"), BATON_TEXT("idle_task"), BATON_TEXT("by=pool"), idle_count),
                           static_cast<uint32_t>(bytes / idle_count));
}

/// The memory for frames on a board without a heap.
async::frame_memory<is_small ? 400 : 131072> memory;

}  // namespace
}  // namespace suite_async

int main() {
  baton::board::start();
  if (!baton::async::frames_have_heap) baton::async::use_for_frames(suite_async::memory);
#ifdef BATON_SUITE_HAS_THREADS
  {
    const suite_async::pinned here;
    suite_async::task_cases();
    suite_async::event_cases();
    suite_async::timer_cases();
  }
  suite_async::crossing_cases();
#else
  suite_async::task_cases();
#if UINTPTR_MAX > 0xffff  // a small flash and RAM cannot hold them beside the others
  suite_async::event_cases();
#endif
#endif
  suite_async::byte_cases();
  baton::bench::finish();
}
