// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/counts_instructions.hpp>

namespace baton {
namespace board {

/// Marks the interval that a benchmark measures.
///
/// Context  anywhere; intervals do not nest.
/// Cost     a call and a return each. The calls are made in assembly, so that the compiler saves
///          nothing around them but the return address.
struct meter : counts_instructions {
  static inline __attribute__((always_inline)) void start() {
    __asm__ volatile("call0 baton_mark_start" ::: "a0", "memory");
  }
  static inline __attribute__((always_inline)) void stop() {
    __asm__ volatile("call0 baton_mark_stop" ::: "a0", "memory");
  }
};

}  // namespace board
}  // namespace baton
