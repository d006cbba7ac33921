// SPDX-License-Identifier: MIT
#pragma once

#include <avr/io.h>
#include <baton/devices/pin.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The pin `Bit` of the port `Port`, a letter: `avr_pin<'D', 2>`.
///
/// Shape    no state but the listener and the last level, and those only where the program listens.
/// Context  a program that listens defines the handler of the port's pin change interrupt, which
///          calls `on_interrupt()` of each pin of the port that listens. The ATmega328P has the
///          interrupt on its ports B, C and D, the ATmega32U4 on port B alone.
/// Cost     an instruction each for `write` with a constant and `read`; `listen` four stores.
/// Source   ATmega328P data sheet (DS40002061B), "I/O Ports", "PCICR" and "PCMSK2"; ATmega32U4 data
///          sheet, the same sections.
template <char Port, uint8_t Bit>
struct avr_pin {
  static_assert(Port >= 'B' && Port <= 'F' && Bit < 8, "baton: a pin is a port from 'B' to 'F' and a bit from 0 to 7");

  static void configure(devices::pin_mode mode) {
    if (!devices::is_output(mode)) at(direction) &= static_cast<uint8_t>(~mask);
    write(mode == devices::pin_mode::input_pullup || mode == devices::pin_mode::output_high);
    if (devices::is_output(mode)) at(direction) |= mask;
  }

  static bool read() { return at(input) & mask; }

  static void write(bool level) {
    if (level) {
      at(output) |= mask;
    } else {
      at(output) &= static_cast<uint8_t>(~mask);
    }
  }

  static void listen(isr_signal* signal) {
    static_assert(has_change_interrupt, "baton: this port of the chip has no pin change interrupt");
    port::critical no_interrupt;
    change_mask() &= static_cast<uint8_t>(~mask);
    listener = signal;
    if (!signal) return;
    level = read();
    PCIFR = 1 << group;
    change_mask() |= mask;
    PCICR |= 1 << group;
  }

  /// Sets the signal if the level is another than at the last look.
  /// Context  the port's pin change interrupt.
  static void on_interrupt() {
    const bool is_high = read();
    if (is_high == level || !listener) return;
    level = is_high;
    listener->set();
  }

 private:
  static constexpr uint8_t mask = 1 << Bit;
  static constexpr uint8_t group = Port - 'B';
#ifdef PCMSK2
  static constexpr bool has_change_interrupt = group <= 2;
#else
  static constexpr bool has_change_interrupt = group == 0;
#endif

  enum : uint8_t { input = 0x20 + 3 * (Port - 'A'), direction = input + 1, output = input + 2 };  // data addresses

  static volatile uint8_t& at(uint8_t address) { return *reinterpret_cast<volatile uint8_t*>(address); }
  static volatile uint8_t& change_mask() { return (&PCMSK0)[group]; }

  static isr_signal* listener;
  static bool level;
};

template <char Port, uint8_t Bit>
isr_signal* avr_pin<Port, Bit>::listener;
template <char Port, uint8_t Bit>
bool avr_pin<Port, Bit>::level;

}  // namespace board
}  // namespace baton
