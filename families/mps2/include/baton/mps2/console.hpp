// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/semihosting.hpp>
#include <baton/cortex_m_interrupts.h>
#include <baton/mps2/uart.hpp>
#include <baton/mps2_addresses.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {
using uart = cmsdk_uart<uart0_at, BATON_UART_INTERRUPT>;
}  // namespace detail

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// LED0 of the board: bit 0 of FPGAIO's first register.
struct led {
  static void set(bool on) { state() = on ? state() | 1u : state() & ~1u; }
  static void toggle() { state() = state() ^ 1u; }

 private:
  static volatile uint32_t& state() { return *reinterpret_cast<volatile uint32_t*>(detail::fpgaio_at); }
};

/// Sends pending characters and ends the program.
[[noreturn]] inline void finish(uint8_t exit_code) {
  detail::uart::drain();
  semihosting_exit(exit_code);
}

}  // namespace board
}  // namespace baton
