// SPDX-License-Identifier: MIT
#pragma once

#include <baton/arm/pl011.hpp>
#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "versatilepb";
}

namespace detail {
using uart = pl011<0x101f1000>;  // UART0
}  // namespace detail

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// The first of the eight user LEDs: bit 0 of SYS_LED.
/// Source   Versatile PB926EJ-S user guide (DUI 0224), "Status and system control registers"
struct led {
  static void set(bool on) { state() = on ? state() | 1u : state() & ~1u; }
  static void toggle() { state() = state() ^ 1u; }

 private:
  static volatile uint32_t& state() { return *reinterpret_cast<volatile uint32_t*>(0x10000008); }
};

/// Sends pending characters and ends the emulator, or the program under a debugger with
/// semihosting.
///
/// Source   Semihosting for AArch32 and AArch64, SYS_EXIT_EXTENDED
[[noreturn]] inline void finish(uint8_t exit_code) {
  detail::uart::drain();
  const uint32_t reason_and_code[2] = {0x20026, exit_code};
  register uint32_t operation __asm__("r0") = 0x20;
  register const uint32_t* parameters __asm__("r1") = reason_and_code;
  register uint32_t no_call __asm__("r12") = 0xff;  // the number of no kernel call, if a task ends the program
  for (;;) __asm__ volatile("svc 0x123456" ::"r"(operation), "r"(parameters), "r"(no_call) : "lr", "memory");
}

}  // namespace board
}  // namespace baton
