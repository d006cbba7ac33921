// SPDX-License-Identifier: MIT
#pragma once

#include <avr/io.h>
#include <avr/sleep.h>
#include <baton/port.hpp>
#include <stdint.h>

// The parts of the AVR boards' <baton/board.hpp>.

namespace baton {
namespace board {

/// A sink of characters, for core's renderers.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
template <typename Usart>
struct avr_console {
  static void put(char c) { Usart::put(c); }
};

/// An LED on a pin of port B.
///
/// Cost     one instruction each (`sbi`, `cbi`), so an interrupt may use the LED, too.
/// Source   ATmega328P data sheet, "Toggling the Pin": a one written to PINB toggles.
template <uint8_t Bit, bool ActiveLow>
struct avr_led {
  static void start() {
    set(false);
    DDRB |= 1 << Bit;
  }
  static void set(bool on) {
    if (on != ActiveLow) {
      PORTB |= 1 << Bit;
    } else {
      PORTB &= static_cast<uint8_t>(~(1 << Bit));
    }
  }
  static void toggle() { PINB = 1 << Bit; }
};

/// Starts console, LED and clock.
template <typename Usart, typename Led>
void avr_start() {
  Usart::start();
  Led::start();
  port::start();
}

/// Ends the program: sends pending characters, ends the simulator's run, and sleeps for ever. A
/// real board stays here until a reset.
template <typename Usart>
[[noreturn]] void avr_finish(uint8_t exit_code) {
  Usart::drain();
  GPIOR2 = exit_code;  // the runner (emulators/simavr) ends here
  __asm__ volatile("cli" ::: "memory");
  for (;;) {
    SMCR = 1 << SE;
    __asm__ volatile("sleep");
  }
}

}  // namespace board
}  // namespace baton
