// SPDX-License-Identifier: MIT
#pragma once

#include <avr/interrupt.h>
#include <baton/avr/serial_in.hpp>
#include <baton/board.hpp>

namespace baton {
namespace board {

using serial_in = avr_serial_in<detail::usart>;

}  // namespace board
}  // namespace baton

// The vector stands here and not in a library, so that it exists only in programs that receive.
// Exactly one source file of such a program includes this header.
ISR(USART_RX_vect) {
  baton::board::serial_in::on_interrupt();
}
