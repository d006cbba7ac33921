// SPDX-License-Identifier: MIT
#pragma once

#include <avr/interrupt.h>
#include <baton/avr/adc.hpp>

namespace baton {
namespace board {

// Channel 7, pin A0.
using analog_input = avr_adc<7>;

}  // namespace board
}  // namespace baton

// The vector stands here and not in a library, so that it exists only in programs that use the ADC.
// Exactly one source file of such a program includes this header.
ISR(ADC_vect) {
  baton::board::avr_converter::on_interrupt();
}
