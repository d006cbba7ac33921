// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/semihosting.hpp>
#include <baton/cortex_m_interrupts.h>
#include <baton/stm32f1/usart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "bluepill";
}

namespace detail {
using uart = stm32f1_usart<0x40013800, BATON_UART_INTERRUPT>;  // USART1, pins PA9 and PA10
}  // namespace detail

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// The board's LED, between PC13 and the supply: it lights while the pin is low.
///
/// Cost     `set` is one store. `toggle` reads, then writes, so an interrupt and a job must not
///          both use it.
struct led {
  static void set(bool on) { at(set_or_reset) = on ? bit << 16 : bit; }
  static void toggle() { set((at(output) & bit) != 0); }

 private:
  static constexpr uint32_t bit = 1u << 13;
  enum : uint8_t { output = 0x0c, set_or_reset = 0x10 };

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x40011000 + offset); }
};

/// Sends pending characters and ends the program.
[[noreturn]] inline void finish(uint8_t exit_code) {
  detail::uart::drain();
  semihosting_exit(exit_code);
}

}  // namespace board
}  // namespace baton
