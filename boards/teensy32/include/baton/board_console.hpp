// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/semihosting.hpp>
#include <baton/mk20/uart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "teensy32";
}

namespace detail {
using uart = mk20_uart<>;
}  // namespace detail

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// The Teensy's LED, on pin 13: PTC5.
///
/// Cost     one store each, so an interrupt may use the LED, too.
/// Source   K20 Sub-Family Reference Manual (K20P64M72SF1RM), "General-Purpose Input/Output"
struct led {
  static void start() { at(direction) = bit; }
  static void set(bool on) { at(on ? output_set : output_clear) = bit; }
  static void toggle() { at(output_toggle) = bit; }

 private:
  static constexpr uint32_t bit = 1u << 5;
  enum : uint8_t { output_set = 0x04, output_clear = 0x08, output_toggle = 0x0c, direction = 0x14 };

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x400ff080 + offset); }
};

/// Sends pending characters and ends the program.
[[noreturn]] inline void finish(uint8_t exit_code) {
  detail::uart::drain();
  semihosting_exit(exit_code);
}

}  // namespace board
}  // namespace baton
