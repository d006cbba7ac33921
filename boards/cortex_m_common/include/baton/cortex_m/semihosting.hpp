// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// Ends the emulator, or what a debugger's semihosting runs, with an exit code. Without either the processor stops at a
/// breakpoint that nobody handles: a fault, and the program's end just the same.
/// Source   Semihosting for AArch32 and AArch64, SYS_EXIT_EXTENDED
[[noreturn]] inline void semihosting_exit(uint8_t exit_code) {
  const uint32_t reason_and_code[2] = {0x20026, exit_code};
  register uint32_t operation __asm__("r0") = 0x20;
  register const uint32_t* parameters __asm__("r1") = reason_and_code;
  for (;;) __asm__ volatile("bkpt 0xab" ::"r"(operation), "r"(parameters) : "memory");
}

}  // namespace board
}  // namespace baton
