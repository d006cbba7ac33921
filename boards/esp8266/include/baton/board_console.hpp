// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "esp8266";
}

namespace detail {

/// Calls the simulator and returns its result.
///
/// Source   Xtensa ISA Reference Manual, SIMCALL; QEMU 7.2, target/xtensa/xtensa-semi.c
inline uint32_t simcall(uint32_t operation, uint32_t first, uint32_t second, uint32_t third) {
  register uint32_t a2 __asm__("a2") = operation;
  register uint32_t a3 __asm__("a3") = first;
  register uint32_t a4 __asm__("a4") = second;
  register uint32_t a5 __asm__("a5") = third;
  __asm__ volatile("simcall" : "+a"(a2), "+a"(a3) : "a"(a4), "a"(a5) : "memory");
  return a2;
}

enum : uint32_t { sys_exit = 1, sys_write = 4 };
enum : uint32_t { standard_output = 1 };

}  // namespace detail

/// A sink of characters for core's renderers: the simulator's console. The machine has no UART, so
/// an interrupt cannot receive, and there is no <baton/board_serial.hpp>.
///
/// Context  anywhere; it does not wait.
struct console {
  static void put(char c) {
    detail::simcall(detail::sys_write, detail::standard_output, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&c)),
                    1);
  }
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

/// Ends the emulator.
[[noreturn]] inline void finish(uint8_t exit_code) {
  for (;;) detail::simcall(detail::sys_exit, exit_code, 0, 0);
}

}  // namespace board
}  // namespace baton
