// SPDX-License-Identifier: MIT
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <baton/avr/compiler.hpp>
#include <stdint.h>

namespace baton {

struct job;
enum class transition : uint8_t;

/// Core's platform on megaAVR devices with a 16-bit Timer1 (ATmega328P, ATmega32U4).
///
/// Units    a tick is 0.5 us at 16 MHz (Timer1 at clk/8); it wraps after 35 minutes, so a deadline
///          lies at most 17.3 ahead.
/// Context  the port owns Timer1 and bit 0 of GPIOR0. Interrupts must be on (`start()` turns them
///          on). The sleep mode is idle, the deepest in which Timer1 runs. While the clock runs,
///          Timer1 wakes the device every 32.8 ms, deadline or not, to count its overflows.
/// Source   ATmega328P data sheet (DS40002061B), 16-bit Timer/Counter1; the ATmega32U4 has the same
///          timer.
struct port {
  using tick = uint32_t;
  static constexpr uint32_t ticks_per_second = F_CPU / 8;

  static constexpr bool checked = false;
  static constexpr bool null_is_readable = true;  // addresses 0 and 1 are r0 and r1, and r1 is 0

  /// Masks interrupts while it lives.
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

  struct waker {
    static __attribute__((always_inline)) void bind() {}
    static __attribute__((always_inline)) void raise() { attention::raise(); }
  };

  struct owner {
    static constexpr bool is_local() { return true; }
  };

  struct trace {
    static __attribute__((always_inline)) void on(transition, const job*, const void*) {}
  };

  /// There is one domain, the program. The start-up code zero-initializes it, at a fixed address.
  template <typename T>
  struct local {
    static T instance;
    static __attribute__((always_inline)) T& get() { return instance; }
  };

  using text = const char*;
  static char read(text p) { return static_cast<char>(pgm_read_byte(p)); }

  static void start() {
    TCCR1B = _BV(CS11);
    sei();
  }

  static inline tick now();
  static inline void alarm(tick due);

  /// The instruction after `sei` runs before any pending interrupt, so `sleep` starts first and no
  /// wake is lost. Keep both in one asm block. (AVR Instruction Set, SEI)
  static bool idle() {
    cli();
    if (!attention::raised()) {
      SMCR = _BV(SE);
      __asm__ volatile("sei\n\tsleep" ::: "memory");
    }
    sei();
    return true;
  }

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = F_CPU / 8000000UL;

  /// Wraps after 32.8 ms. Timer1's bytes are read through a shared latch, so an interrupt must not
  /// come between.
  static __attribute__((always_inline)) profile_tick16 profile_now16() {
    critical mask;
    return TCNT1;
  }
  static __attribute__((always_inline)) profile_tick32 profile_now32() { return now(); }

  /// Stops with interrupts off: a debugger finds the id in r24:r25, the simulator's runner reports
  /// exit code 70.
  static __attribute__((noreturn)) void halt(uint16_t) {
    cli();
    GPIOR2 = 70;
    for (;;) sleep_cpu();
  }
};

template <typename T>
T port::local<T>::instance;

/// 25 cycles, 15 of them with interrupts masked.
inline __attribute__((always_inline)) port::tick port::now() {
  return port_detail::read_clock();
}

/// The compare unit sees the low half only: it raises attention up to once per wrap too early, and
/// then the scheduler reads the clock once more.
inline void port::alarm(tick due) {
  critical mask;
  OCR1A = static_cast<uint16_t>(due);
}

}  // namespace baton

#define BATON_TEXT(literal)                            \
  (__extension__({                                     \
    static const char baton_text_[] PROGMEM = literal; \
    static_cast<::baton::port::text>(baton_text_);     \
  }))
