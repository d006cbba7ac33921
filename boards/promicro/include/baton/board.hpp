// SPDX-License-Identifier: MIT
#pragma once

#include <baton/avr/board.hpp>
#include <baton/avr/usart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {
using usart = avr_usart<0xC8>;  // USART1: pins RXI and TXO; the USB port stays unused
}  // namespace detail

constexpr const char* name() {
  return "promicro";
}

using console = avr_console<detail::usart>;

// PB0, the yellow RX LED, lit by a low level. (PC7, the LED of other ATmega32U4 boards, is not
// connected here.)
using led = avr_led<0, true>;

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
