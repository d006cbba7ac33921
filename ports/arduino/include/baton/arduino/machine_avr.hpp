// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdint.h>

namespace baton {
namespace arduino {

/// Returns `micros()`. It stands in ports/arduino/src/clock.cpp with the interrupt, so a sketch
/// without a scheduler holds neither.
extern "C" uint32_t baton_arduino_now();

/// The port's machine on AVR: the attention flag is a bit of GPIOR0, and the free compare interrupt
/// of Timer0 raises it.
///
/// Shape    no state of its own.
/// Units    Timer0 belongs to the Arduino core, which lets it wrap every 256 * 64 cycles for
///          `millis()`: 1.024 ms at 16 MHz. The interrupt of compare unit B raises attention once
///          per wrap; this is a look.
/// Context  the port takes bit 0 of GPIOR0 and the interrupt TIMER0_COMPB, and nothing else of
///          Timer0. PWM on the timer's pin (5 on the Uno and the Nano) is not disturbed:
///          `analogWrite` only moves the moment of the look within the wrap. A sketch or library
///          that defines an interrupt of that name does not link ("multiple definition"). A timer
///          that is due more than one look ahead is left to the looks. A timer that is nearer keeps
///          attention raised: for the last 1.024 ms the scheduler reads the clock at each switch,
///          and an idle one does not sleep.
/// Cost     a look takes 13 cycles of interrupt and, where a timer is armed, two readings of the
///          clock by the scheduler. A timer is late by the step that runs, as on every port, and by
///          a switch with its readings of the clock; never by a look. tests/arduino/lateness checks
///          that bound, and tests/arduino/sleep checks that the processor sleeps.
/// Source   ATmega328P data sheet (DS40002061B), 8-bit Timer/Counter0: in fast PWM, compare values
///          are buffered until the next wrap. So the compare unit cannot be aimed at a due time
///          within the wrap, and aiming it would change the PWM.
struct machine {
  using tick = uint32_t;

  static constexpr bool null_is_readable = true;  // addresses 0 and 1 are r0 and r1, and r1 is 0

  /// Ticks between two looks, rounded up.
  static constexpr tick look = 256UL * 64 / (F_CPU / 1000000UL) + 1;

  /// Masks interrupts while it lives; nests.
  struct critical {
    __attribute__((always_inline)) critical() : sreg(SREG) { cli(); }
    __attribute__((always_inline)) ~critical() {
      __asm__ volatile("" ::: "memory");
      SREG = sreg;
    }
    uint8_t sreg;
  };

  /// The flag is bit 0 of GPIOR0. `sbi` and `cbi` are single instructions, so no interrupt can come
  /// between, and `sbic` tests without a load.
  struct attention {
    static __attribute__((always_inline)) void raise() { GPIOR0 |= 1; }
    static __attribute__((always_inline)) void lower() { GPIOR0 &= static_cast<uint8_t>(~1); }
    static __attribute__((always_inline)) bool raised() { return GPIOR0 & 1; }
  };

  using text = const char*;
  static char read(text p) { return static_cast<char>(pgm_read_byte(p)); }

  static tick now() { return baton_arduino_now(); }

  static constexpr bool alarm_tells = true;

  /// The clock is read first, so that nothing of `due` is kept over the call.
  static bool alarm(const tick& due) {
    const tick time = now();
    const int32_t left = static_cast<int32_t>(due - time);
    if (left <= 0) return true;
    if (left < static_cast<int32_t>(look)) attention::raise();
    return false;
  }

  /// Sleeps in sleep mode idle until attention is raised. Timer0's overflow wakes the processor
  /// too, and it goes back to sleep. Interrupts are on afterwards. The instruction after `sei` runs
  /// before any pending interrupt, so `sleep` starts first and no wake is lost. Keep both in one
  /// asm block. (AVR Instruction Set, SEI) The `nop` is for the simulator, which runs one
  /// instruction more than silicon before it takes an interrupt.
  static bool idle() {
    const uint8_t others = SMCR;
    cli();
    while (!attention::raised()) {
      SMCR = _BV(SE);
      __asm__ volatile("sei\n\tsleep\n\tnop\n\tcli" ::: "memory");
    }
    SMCR = others;
    sei();
    return true;
  }

  /// Stops with interrupts off; a debugger finds the id in r24:r25. A sketch that defines
  /// `baton_require_failed` is called first.
  static __attribute__((noreturn)) void halt(uint16_t) {
    cli();
    SMCR = _BV(SE);
    for (;;) sleep_cpu();
  }
};

}  // namespace arduino
}  // namespace baton

#define BATON_TEXT(literal)                            \
  (__extension__({                                     \
    static const char baton_text_[] PROGMEM = literal; \
    static_cast<::baton::port::text>(baton_text_);     \
  }))
