// SPDX-License-Identifier: MIT
//
// The size of each public type. A coroutine's is the size without members of its own.
#include <AceRoutine.h>
#include <baton/bench/measure.hpp>
#include <baton/core.hpp>

#ifdef BATON_SIZES_OF_KERNEL
#include <baton/kernel.hpp>
#endif
#if defined(BATON_SIZES_OF_KERNEL) && UINTPTR_MAX == 0xffffffff
#include "sizes/kernel_stacks.hpp"
#endif

namespace {

using baton::point;

/// A coroutine on `Base`.
template <typename Base>
struct on : baton::coroutine<on<Base>, Base> {
  point step(point at) {
    BATON_BEGIN();
    BATON_END();
  }
};

template <typename Type>
void print(baton::port::text name) {
  baton::bench::print_size(baton::bench::row(BATON_TEXT("sizes"), name, BATON_TEXT(""), 1), sizeof(Type));
}

#define SIZE(name, ...) print<__VA_ARGS__>(BATON_TEXT(name))

void coroutines() {
  SIZE("coroutine", on<baton::plain>);
  SIZE("delaying_coroutine", on<baton::timed>);
  SIZE("long_delaying_coroutine", on<baton::long_timed>);
  SIZE("channel_coroutine", on<baton::waiting>);
  SIZE("delaying_channel_coroutine", on<baton::timed_waiting>);
  SIZE("deadline_coroutine", on<baton::deadline>);
  SIZE("periodic_coroutine", on<baton::periodic<>>);
  SIZE("selecting<2>", on<baton::selecting<2>>);
  SIZE("selecting<2,deadline>", on<baton::selecting<2, baton::deadline>>);
  SIZE("returning<uint16_t>", on<baton::returning<uint16_t>>);
  SIZE("serving<uint32_t,uint32_t>", on<baton::serving<uint32_t, uint32_t>>);
  SIZE("named_coroutine", on<baton::named<>>);
  SIZE("listed_coroutine", on<baton::listed<>>);
  SIZE("profiled_coroutine", baton::profiled<on<baton::plain>>);
}

void primitives() {
  SIZE("channel<int>", baton::channel<int>);
  SIZE("channel<uint32_t>", baton::channel<uint32_t>);
  SIZE("channel<uint32_t,4>", baton::channel<uint32_t, 4>);
  SIZE("endpoint<uint32_t,uint32_t>", baton::endpoint<uint32_t, uint32_t>);
  SIZE("exchange<uint32_t,uint32_t>", baton::exchange<uint32_t, uint32_t>);
  SIZE("served<uint32_t,uint32_t>", baton::served<uint32_t, uint32_t>);
  SIZE("signal", baton::signal);
  SIZE("semaphore", baton::semaphore);
  SIZE("event_flags", baton::event_flags);
  SIZE("flags_wait", baton::flags_wait);
  SIZE("isr_signal", baton::isr_signal);
  SIZE("ring<uint8_t,16>", baton::ring<uint8_t, 16>);
  SIZE("isr_channel<uint8_t,16>", baton::isr_channel<uint8_t, 16>);
  SIZE("mutex", baton::mutex);
  SIZE("mutex_lock", baton::mutex_lock);
  SIZE("watch<int>", baton::watch<int>);
  SIZE("watch_reader", baton::watch_reader);
  SIZE("pipe<16>", baton::pipe<16>);
  SIZE("broadcast<int,4,loses_oldest>", baton::broadcast<int, 4, baton::slow_reader::loses_oldest>);
  SIZE("broadcast<int,4,holds_sender>", baton::broadcast<int, 4, baton::slow_reader::holds_sender>);
}

void others() {
  SIZE("job", baton::job);
  SIZE("waiter", baton::waiter);
  SIZE("wait_list", baton::wait_list);
  SIZE("log_bins", baton::log_bins);
  SIZE("profile", baton::profile);
}

/// Types of compat/aceroutine.
void compat_types() {
  SIZE("compat_coroutine", ace_routine::Coroutine);
  SIZE("compat_scheduler", ace_routine::CoroutineScheduler);
  SIZE("compat_channel<int>", ace_routine::Channel<int>);
  SIZE("compat_log_bin_profiler", ace_routine::LogBinProfiler);
  SIZE("compat_table_renderer", ace_routine::LogBinTableRenderer);
  SIZE("compat_json_renderer", ace_routine::LogBinJsonRenderer);
}

/// The size of a task without its stack, and of a kernel without its tasks, if the port has a
/// kernel part.
void kernel_types() {
#ifdef BATON_SIZES_OF_KERNEL
  SIZE("kernel::task", baton::kernel::tcb);
  SIZE("kernel::machine", baton::kernel::kernel_state);
  SIZE("kernel::system<8>", baton::kernel::system<8>);
#endif
#if defined(BATON_SIZES_OF_KERNEL) && UINTPTR_MAX == 0xffffffff
  suite_sizes::print_stacks();
#endif
}

}  // namespace

int main() {
  baton::board::start();
  coroutines();
  primitives();
  others();
  compat_types();
  kernel_types();
  baton::bench::finish();
}
