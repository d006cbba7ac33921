// SPDX-License-Identifier: MIT
#pragma once

#include <baton/arm/pl011.hpp>
#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "aarch64";
}

namespace detail {
using uart = pl011<0x09000000>;
}  // namespace detail

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// Stands for the LED that this machine lacks. It remembers its state, so that a program runs as on
/// the other boards.
struct led {
  static void set(bool on) { state() = on; }
  static void toggle() { state() = !state(); }

 private:
  static volatile bool& state() {
    static volatile bool on;
    return on;
  }
};

/// Sends pending characters and ends the emulator, or the program under a debugger with
/// semihosting.
///
/// Source   Semihosting for AArch32 and AArch64, SYS_EXIT
[[noreturn]] inline void finish(uint8_t exit_code) {
  detail::uart::drain();
  const uint64_t reason_and_code[2] = {0x20026, exit_code};
  register uint64_t operation __asm__("x0") = 0x18;
  register const uint64_t* parameters __asm__("x1") = reason_and_code;
  for (;;) __asm__ volatile("hlt #0xf000" ::"r"(operation), "r"(parameters) : "memory");
}

}  // namespace board
}  // namespace baton
