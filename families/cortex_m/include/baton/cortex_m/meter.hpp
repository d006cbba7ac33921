// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/counts_instructions.hpp>

namespace baton {
namespace board {

/// Marks the interval that a benchmark measures; the emulator's runner stamps both marks with its
/// count.
///
/// Units    the emulator's; an empty interval is 0, because the runner subtracts the cost of the
///          marks themselves.
/// Context  anywhere; intervals do not nest.
/// Cost     a call and a return each. The calls are made in assembly, so that the compiler saves
///          nothing around them but the link register.
struct marks {
  static inline __attribute__((always_inline)) void start() {
    __asm__ volatile("bl baton_mark_start" ::: "lr", "cc", "memory");
  }
  static inline __attribute__((always_inline)) void stop() {
    __asm__ volatile("bl baton_mark_stop" ::: "lr", "cc", "memory");
  }
};

/// A meter of marks between which QEMU counts.
struct instructions_meter : marks, counts_instructions {};

}  // namespace board
}  // namespace baton
