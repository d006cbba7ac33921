// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// The primary interrupt controller, with one bit per interrupt.
///
/// Source   PrimeCell VIC (PL190) TRM (DDI 0181), "Programmer's model"; Versatile PB926EJ-S user
///          guide (DUI 0224), "Interrupts".
struct vic {
  static constexpr uint32_t timers = 1u << 4;  // timers 0 and 1
  static constexpr uint32_t uart = 1u << 12;   // UART0

  static uint32_t pending() { return at(0x00); }
  static void let_through(uint32_t interrupts) { at(0x10) = interrupts; }  // a zero changes nothing

 private:
  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x10140000 + offset); }
};

}  // namespace board
}  // namespace baton
