// SPDX-License-Identifier: MIT
#pragma once

#include <baton/ns16550.hpp>
#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "esp32c3";
}

namespace detail {
using uart = ns16550<0x10000000>;
}  // namespace detail

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// Stands for the LED that this machine lacks. It remembers its state for tests.
struct led {
  static void set(bool on) { state() = on; }
  static void toggle() { state() = !state(); }
  static bool is_on() { return state(); }

 private:
  static bool& state() {
    static bool on;
    return on;
  }
};

/// Sends pending characters and ends the emulator.
///
/// Source   QEMU 7.2, hw/misc/sifive_test.c
[[noreturn]] inline void finish(uint8_t exit_code) {
  detail::uart::drain();
  volatile uint32_t& end = *reinterpret_cast<volatile uint32_t*>(0x00100000);
  end = exit_code ? static_cast<uint32_t>(exit_code) << 16 | 0x3333 : 0x5555;
  for (;;) {
  }
}

}  // namespace board
}  // namespace baton
