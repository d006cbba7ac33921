// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board_console.hpp>
#include <baton/port.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {

/// Stops the watchdog, and lets the PLL make 80 MHz of the module's crystal of 26 MHz: the boot ROM
/// expects one of 40 MHz, and leaves the processor at 52.
///
/// Source   ESP8266 Technical Reference, "Watchdog"; the values of the PLL's registers are those of
///          the vendor's own start-up code, and no manual describes them
inline void start_chip() {
  *reinterpret_cast<volatile uint32_t*>(0x60000914) = 0x73;
  volatile uint32_t& watchdog = *reinterpret_cast<volatile uint32_t*>(0x60000900);
  watchdog = watchdog & ~1u;
  const auto write_pll = reinterpret_cast<void (*)(uint32_t, uint32_t, uint32_t, uint32_t)>(0x400072d8);
  uart::drain();
  write_pll(103, 4, 1, 136);
  write_pll(103, 4, 2, 145);
}

}  // namespace detail

/// Starts the chip's clock, console, LED and the port's clock; it is the first call of main().
inline void start() {
  detail::start_chip();
  detail::uart::start();
  led::start();
  port::start();
}

}  // namespace board
}  // namespace baton
