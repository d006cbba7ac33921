// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

/// Stands in families/cortex_m/src/vectors.c.
extern "C" void baton_semihosting(unsigned operation, const unsigned* parameters);

namespace baton {
namespace board {

/// Ends the emulator, or the program under a debugger with semihosting, with an exit code. Without
/// either the processor sleeps.
///
/// Source   Semihosting for AArch32 and AArch64, SYS_EXIT_EXTENDED
[[noreturn]] inline void semihosting_exit(uint8_t exit_code) {
  const unsigned reason_and_code[2] = {0x20026, exit_code};
  for (;;) baton_semihosting(0x20, reason_and_code);
}

}  // namespace board
}  // namespace baton
