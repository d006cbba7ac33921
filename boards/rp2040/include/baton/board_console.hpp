// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/semihosting.hpp>
#include <baton/rp2040/uart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "rp2040";
}

namespace detail {
using uart = rp2040_uart<>;
}  // namespace detail

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// The Pico's LED, on GPIO25.
///
/// Cost     one store each, so an interrupt may use the LED, too.
/// Source   RP2040 data sheet, "SIO": registers that set, clear and toggle.
struct led {
  static void start() { at(output_enable_set) = bit; }
  static void set(bool on) { at(on ? output_set : output_clear) = bit; }
  static void toggle() { at(output_toggle) = bit; }

 private:
  static constexpr uint32_t bit = 1u << 25;
  enum : uint8_t { output_set = 0x14, output_clear = 0x18, output_toggle = 0x1c, output_enable_set = 0x24 };

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(0xd0000000 + offset); }
};

/// Sends pending characters and ends the program.
[[noreturn]] inline void finish(uint8_t exit_code) {
  detail::uart::drain();
  semihosting_exit(exit_code);
}

}  // namespace board
}  // namespace baton
