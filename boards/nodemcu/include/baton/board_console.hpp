// SPDX-License-Identifier: MIT
#pragma once

#include <baton/esp8266/uart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "nodemcu";
}

namespace detail {
using uart = esp8266_uart<>;
}  // namespace detail

/// A sink of characters, for core's renderers. There is no <baton/board_serial.hpp>.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// The module's LED, between GPIO2 and the supply: it lights while the pin is low.
///
/// Cost     `set` is one store. `toggle` reads, then writes, so an interrupt and a job must not
///          both use it.
/// Source   ESP8266 Technical Reference, "GPIO Registers"
struct led {
  static void start() { at(enable_set) = bit; }
  static void set(bool on) { at(on ? output_clear : output_set) = bit; }
  static void toggle() { set((at(output) & bit) != 0); }

 private:
  static constexpr uint32_t bit = 1u << 2;
  enum : uint8_t { output = 0x00, output_set = 0x04, output_clear = 0x08, enable_set = 0x10 };

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x60000300 + offset); }
};

/// Sends pending characters and ends the program: the processor sleeps until a reset.
[[noreturn]] inline void finish(uint8_t) {
  detail::uart::drain();
  for (;;) __asm__ volatile("waiti 15" ::: "memory");
}

}  // namespace board
}  // namespace baton
