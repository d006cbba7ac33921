// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// Marks the interval that a benchmark measures. QEMU counts instructions, and reads and writes; it models no cycle.
///
/// Units    instructions; an empty interval is 0, because the runner subtracts what the marks themselves cost.
/// Context  anywhere; intervals do not nest.
/// Cost     a call and a return each. Called in assembly, so that the compiler saves nothing around them but the return address.
struct meter {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = true;
  static constexpr bool counts() { return true; }
  static constexpr const char* unit() { return "instructions"; }
  static constexpr const char* valid() { return "instructions"; }

  /// Nothing to wait for: the timer interrupts once in 2^31 cycles, which is a minute.
  static void settle() {}

  static inline __attribute__((always_inline)) void start() {
    __asm__ volatile("call0 baton_mark_start" ::: "a0", "memory");
  }
  static inline __attribute__((always_inline)) void stop() {
    __asm__ volatile("call0 baton_mark_stop" ::: "a0", "memory");
  }
  static constexpr uint64_t elapsed_ns() { return 0; }
};

}  // namespace board
}  // namespace baton
