// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board_meter.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// A loop with a known count: 100 rounds of a read, a write, and three more instructions.
///
/// Units    `value` is in the meter's unit. In cycles of a Cortex-M0+: 1 to begin, 8 per round, 1
///          less for the last branch.
/// Source   ARMv6-M Architecture Reference Manual; Cortex-M0+ Technical Reference Manual,
///          "Instruction set summary"
struct known_loop {
  static constexpr bool in_cycles = meter::unit()[0] == 'c';
  static constexpr uint16_t value = in_cycles ? 800 : 501;
  static constexpr uint16_t reads = 100;
  static constexpr uint16_t writes = 100;

  static inline __attribute__((always_inline)) void run() {
    __asm__ volatile(
        ".syntax unified\n\t"
        "movs r0, #100\n"
        "1: ldr r1, [sp]\n\t"
        "str r1, [sp]\n\t"
        "nop\n\t"
        "subs r0, #1\n\t"
        "bne 1b" ::
            : "r0", "r1", "cc", "memory");
  }
};

}  // namespace board
}  // namespace baton
