// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// A loop with a known count: 100 rounds of a push, a pop, and three more instructions.
///
/// Units    cycles: 1 to begin, 8 per round, 1 less for the last branch.
/// Source   AVR Instruction Set Manual, AVRe+
struct known_loop {
  static constexpr uint16_t value = 800;

  static inline __attribute__((always_inline)) void run() {
    __asm__ volatile(
        "ldi r24, 100\n"
        "1: push r24\n\t"
        "pop r24\n\t"
        "nop\n\t"
        "dec r24\n\t"
        "brne 1b" ::
            : "r24", "memory");
  }
};

}  // namespace board
}  // namespace baton
