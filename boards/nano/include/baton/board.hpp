// SPDX-License-Identifier: MIT
#pragma once

#include <baton/avr/board.hpp>
#include <baton/avr/usart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {
using usart = avr_usart<0xC0>;  // USART0: the Nano's USB serial adapter and pins D0, D1
}  // namespace detail

constexpr const char* name() {
  return "nano";
}

using console = avr_console<detail::usart>;

// PB5, "L" on the board, pin D13.
using led = avr_led<5, false>;

/// Starts console, LED and clock; it is the first call of main().
inline void start() {
  avr_start<detail::usart, led>();
}

/// Sends pending characters and ends the program.
[[noreturn]] inline void finish(uint8_t exit_code) {
  avr_finish<detail::usart>(exit_code);
}

}  // namespace board
}  // namespace baton
