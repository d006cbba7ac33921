// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// A loop with a known count: 100 rounds of a read, a write, and three more instructions.
struct known_loop {
  static constexpr uint16_t value = 501;
  static constexpr uint16_t reads = 100;
  static constexpr uint16_t writes = 100;

  static inline __attribute__((always_inline)) void run() {
#ifdef __aarch64__
    __asm__ volatile(
        "mov w0, #100\n"
        "1: ldr w1, [sp]\n\t"
        "str w1, [sp]\n\t"
        "nop\n\t"
        "subs w0, w0, #1\n\t"
        "b.ne 1b" ::
            : "x0", "x1", "cc", "memory");
#else
    __asm__ volatile(
        "mov r0, #100\n"
        "1: ldr r1, [sp]\n\t"
        "str r1, [sp]\n\t"
        "nop\n\t"
        "subs r0, r0, #1\n\t"
        "bne 1b" ::
            : "r0", "r1", "cc", "memory");
#endif
  }
};

}  // namespace board
}  // namespace baton
