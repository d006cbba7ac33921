// SPDX-License-Identifier: MIT
//
// Implements the alarm with the SP804's second timer, which counts down once and interrupts at
// zero. The functions are weak, because the kernel's part of the port uses the timer for two
// alarms.
#include <baton/port.hpp>
#include <stdint.h>

namespace {

enum : uint8_t { load = 8, control = 10, clear_interrupt = 11 };  // words from the pair's first register
enum : uint32_t { runs = 1u << 7, interrupts = 1u << 5, all_32_bits = 1u << 1, once = 1u << 0 };

}  // namespace

extern "C" {

/// Interrupts after a microsecond if `due` is past.
__attribute__((weak)) void baton_armv5_alarm(uint32_t due) {
  const baton::port::critical mask;
  baton_sp804[control] = 0;
  baton_sp804[clear_interrupt] = 0;
  const int32_t ahead = static_cast<int32_t>(due - baton::port::now());
  baton_sp804[load] = ahead > 0 ? static_cast<uint32_t>(ahead) : 1;
  baton_sp804[control] = runs | interrupts | all_32_bits | once;
}

/// Called when the due time has come, by the board's dispatcher with interrupts masked.
__attribute__((weak, used, externally_visible)) void baton_armv5_timer() {
  baton_sp804[clear_interrupt] = 0;
  baton::port::attention::raise();
}

}  // extern "C"
