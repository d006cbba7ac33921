// SPDX-License-Identifier: MIT
#pragma once

#include <avr/io.h>
#include <baton/devices/adc.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The converter that all channels share.
///
/// Shape    the listener of the conversion under way.
/// Source   ATmega328P data sheet (DS40002061B), "Analog-to-Digital Converter".
struct avr_converter {
  /// Context  the ADC's interrupt, which the program defines.
  static void on_interrupt() { listener()->set(); }

  static isr_signal*& listener() {
    static isr_signal* signal;
    return signal;
  }
};

/// The channel `Channel` of the ADC, from 0 to 7, measured against AVCC.
///
/// Units    `full_scale` is AVCC. The clock of the converter is F_CPU / 128, so a conversion takes
///          13 * 128 cycles (104 us at 16 MHz), the first one 25 * 128.
/// Context  a program whose channel listens defines the handler of ADC_vect, which calls
///          `avr_converter::on_interrupt()`.
/// Cost     `start()` four stores.
template <uint8_t Channel>
struct avr_adc {
  static_assert(Channel < 8, "baton: this provider has the channels 0 to 7");

  static constexpr uint16_t full_scale = 1023;

  static status start() {
    if (ADCSRA & _BV(ADSC)) return status::full;
    isr_signal* const signal = listener;
    if (signal) avr_converter::listener() = signal;
    BATON_COMPILER_BARRIER();
    ADMUX = _BV(REFS0) | Channel;
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADIF) | (signal ? _BV(ADIE) : 0) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
    return status::ok;
  }

  static bool ready() { return (ADCSRA & (_BV(ADEN) | _BV(ADSC))) == _BV(ADEN); }

  static uint16_t read() { return ADC; }

  static void listen(isr_signal* signal) { listener = signal; }

 private:
  static isr_signal* listener;
};

template <uint8_t Channel>
isr_signal* avr_adc<Channel>::listener;

}  // namespace board
}  // namespace baton
