// SPDX-License-Identifier: MIT
#pragma once

#include <baton/mps2_addresses.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The watchdog of Arm's Cortex-M System Design Kit, as on the MPS2 boards: it resets the chip
/// unless it is fed in time.
///
/// Shape    no state; `Base` is the address of its first register.
/// Units    milliseconds, up to 2^32 cycles. Its counter first raises an NMI, and resets when it
///          has run down once more: the chip is reset after one to two such times.
/// Context  it cannot be stopped. Any task may feed it.
/// Source   Arm Cortex-M System Design Kit TRM (DDI 0479), "APB watchdog"
template <uint32_t Base>
struct cmsdk_watchdog {
  static void start(uint32_t milliseconds) {
    at(lock) = unlocks;
    at(load) = milliseconds * (BATON_CPU_HZ / 1000);
    at(control) = raises_interrupt | resets;
  }
  static void feed() { at(clear) = 1; }

 private:
  enum : uint16_t { load = 0x00, control = 0x08, clear = 0x0c, lock = 0xc00 };
  enum : uint32_t { raises_interrupt = 1, resets = 2, unlocks = 0x1acce551 };

  static volatile uint32_t& at(uint16_t offset) { return *reinterpret_cast<volatile uint32_t*>(Base + offset); }
};

using watchdog = cmsdk_watchdog<detail::watchdog_at>;

}  // namespace board
}  // namespace baton

// The handler stands here and not in a library, so that it exists only in programs with a watchdog.
// Exactly one source file of such a program includes this header. It waits for the reset.
extern "C" __attribute__((used, externally_visible)) void baton_nmi_handler() {
  for (;;) {
  }
}
