// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// A loop of which it is known what it counts: 100 rounds of a read, a write, and three
/// instructions more.
struct known_loop {
  static constexpr uint16_t value = 501;
  static constexpr uint16_t reads = 100;
  static constexpr uint16_t writes = 100;

  static inline __attribute__((always_inline)) void run() {
    __asm__ volatile(
        "movi a2, 100\n"
        "1: l32i a3, a1, 0\n\t"
        "s32i a3, a1, 0\n\t"
        "nop\n\t"
        "addi a2, a2, -1\n\t"
        "bnez a2, 1b" ::
            : "a2", "a3", "memory");
  }
};

}  // namespace board
}  // namespace baton
