// SPDX-License-Identifier: MIT
#pragma once

#include <avr/interrupt.h>
#include <baton/avr/pin.hpp>

namespace baton {
namespace board {

// PD2, pin D2. A button connects it to ground.
using button_pin = avr_pin<'D', 2>;

}  // namespace board
}  // namespace baton

// The vector stands here and not in a library, so that it exists only in programs that use the pin.
// Exactly one source file of such a program includes this header.
ISR(PCINT2_vect) {
  baton::board::button_pin::on_interrupt();
}
