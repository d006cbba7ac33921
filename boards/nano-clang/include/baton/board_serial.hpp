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

// Here and not in a library: a vector exists only in programs that receive. So one source file of a program, and only
// one, includes this header.
ISR(USART_RX_vect) {
  baton::board::serial_in::on_interrupt();
}
