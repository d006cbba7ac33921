// SPDX-License-Identifier: MIT
#pragma once

#include <avr/interrupt.h>
#include <baton/avr/uart.hpp>
#include <baton/board.hpp>

namespace baton {
namespace board {

// The console's USART.
using serial_line = avr_uart<detail::usart>;

}  // namespace board
}  // namespace baton

// The vectors stand here and not in a library, so that they exist only in programs that use the
// line. Exactly one source file of such a program includes this header.
ISR(USART_RX_vect) {
  baton::board::serial_line::on_received();
}
ISR(USART_UDRE_vect) {
  baton::board::serial_line::on_room();
}
