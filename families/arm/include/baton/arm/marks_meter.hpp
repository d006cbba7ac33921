// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// Marks the interval that a benchmark measures; the emulator's plugin counts in it.
///
/// Units    instructions, reads and writes, never cycles, because QEMU models no pipeline. An empty
///          interval is 0, because the runner subtracts the cost of the marks themselves.
/// Context  anywhere; intervals do not nest.
/// Cost     a call and a return each. The calls are made in assembly, so that the compiler saves
///          nothing around them but the link register.
struct arm_marks_meter {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = true;
  static constexpr bool counts() { return true; }
  static constexpr const char* unit() { return "instructions"; }
  static constexpr const char* valid() { return "instructions"; }

  static void settle() {}
#ifdef __aarch64__
  static inline __attribute__((always_inline)) void start() {
    __asm__ volatile("bl baton_mark_start" ::: "x30", "cc", "memory");
  }
  static inline __attribute__((always_inline)) void stop() {
    __asm__ volatile("bl baton_mark_stop" ::: "x30", "cc", "memory");
  }
#else
  static inline __attribute__((always_inline)) void start() {
    __asm__ volatile("bl baton_mark_start" ::: "lr", "cc", "memory");
  }
  static inline __attribute__((always_inline)) void stop() {
    __asm__ volatile("bl baton_mark_stop" ::: "lr", "cc", "memory");
  }
#endif
  static constexpr uint64_t elapsed_ns() { return 0; }
};

}  // namespace board
}  // namespace baton
