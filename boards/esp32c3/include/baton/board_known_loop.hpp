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
        "li t0, 100\n"
        "1: lw t1, 0(sp)\n\t"
        "sw t1, 0(sp)\n\t"
        "nop\n\t"
        "addi t0, t0, -1\n\t"
        "bnez t0, 1b" ::
            : "t0", "t1", "memory");
  }
};

}  // namespace board
}  // namespace baton
