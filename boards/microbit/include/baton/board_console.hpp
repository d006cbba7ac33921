// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/semihosting.hpp>
#include <baton/cortex_m_interrupts.h>
#include <baton/nrf51/uart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "microbit";
}

namespace detail {
using uart = nrf51_uart<24, 25, BATON_UART_INTERRUPT>;  // to the board's USB serial adapter
}  // namespace detail

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// The upper left LED of the matrix: row 1 (P0.13) high, column 1 (P0.4) low.
///
/// Cost     `set` is one store. `toggle` reads, then writes, so an interrupt and a job must not
///          both use it.
/// Source   nRF51 Series Reference Manual, "General-Purpose Input/Output (GPIO)"
struct led {
  static void start() {
    at(output_clear) = row | column;
    at(direction_set) = row | column;
  }
  static void set(bool on) { at(on ? output_set : output_clear) = row; }
  static void toggle() { set(!(at(output) & row)); }

 private:
  static constexpr uint32_t row = 1u << 13, column = 1u << 4;
  enum : uint16_t { output = 0x504, output_set = 0x508, output_clear = 0x50c, direction_set = 0x518 };

  static volatile uint32_t& at(uint16_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x50000000 + offset); }
};

/// Sends pending characters and ends the program.
[[noreturn]] inline void finish(uint8_t exit_code) {
  detail::uart::drain();
  semihosting_exit(exit_code);
}

}  // namespace board
}  // namespace baton
