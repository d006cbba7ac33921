// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board_console.hpp>
#include <baton/port.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {

/// Stops the two watchdogs that the boot ROM starts before it copies a program from the flash.
///
/// Source   ESP32 Technical Reference Manual, "Watchdog Timers"
inline void stop_watchdogs() {
  const auto write = [](uint32_t address, uint32_t value) { *reinterpret_cast<volatile uint32_t*>(address) = value; };
  constexpr uint32_t key = 0x50d83aa1;
  write(0x3ff480a4, key);  // RTC_CNTL_WDTWPROTECT
  write(0x3ff4808c, 0);    // RTC_CNTL_WDTCONFIG0
  write(0x3ff5f064, key);  // TIMG0_WDTWPROTECT
  write(0x3ff5f048, 0);    // TIMG0_WDTCONFIG0
}

}  // namespace detail

/// Stops the watchdogs, and starts the LED and the port's clock; it is the first call of main().
inline void start() {
  detail::stop_watchdogs();
  led::start();
  port::start();
}

}  // namespace board
}  // namespace baton
