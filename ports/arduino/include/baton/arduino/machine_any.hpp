// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <stdint.h>

namespace baton {
namespace arduino {

/// Defines a tick as wide as the result of `micros()`: 32 bits on microcontrollers, 64 bits where
/// sketches are tried on Linux.
template <unsigned Bytes>
struct clock_of {
  using tick = uint32_t;
};
template <>
struct clock_of<8> {
  using tick = uint64_t;
};

/// The port's machine on an Arduino core of which only the API is known: `micros()`, `yield()`,
/// `noInterrupts()`, `interrupts()`, and the macros for texts in flash.
///
/// Shape    a flag and two counts, in RAM.
/// Context  the port has no interrupt of its own: each 16th time that the scheduler tests the
///          attention flag, the test calls `yield()` and raises the flag. So a timer is late by up
///          to 16 steps of the jobs that run. An idle scheduler polls the timers and calls
///          `yield()` in between; it does not sleep, because the API does not say which interrupt
///          would wake it. Both calls keep the watchdog and the radio of an ESP8266 served. What
///          the core calls from there may make a job ready, and must not run the scheduler. A
///          critical section inside a `noInterrupts()` section ends both.
/// Cost     each switch counts in RAM; each 16th calls `yield()`, and reads the clock if a timer
///          is armed.
/// Source   docs/decisions/0012-arduino-port.md; Arduino core for the ESP8266, reference, "Timing
///          and delays".
struct machine {
  using tick = clock_of<sizeof(micros())>::tick;

  static constexpr bool null_is_readable = false;
  static constexpr uint8_t switches_per_yield = 16;

  struct state {
    volatile uint8_t raised;
    uint8_t counted;
    uint8_t depth;
  };

  /// Masks interrupts while it lives; nests.
  struct critical {
    critical() {
      noInterrupts();
      ++here().depth;
    }
    ~critical() {
      if (--here().depth == 0) interrupts();
    }
  };

  /// An interrupt of an ESP8266 runs nothing from flash, so `raise()` is a part of its handler.
  struct attention {
    static __attribute__((always_inline)) void raise() { here().raised = 1; }
    static void lower() { here().raised = 0; }
    static bool raised() {
      state& s = here();
      if (!s.raised && ++s.counted >= switches_per_yield) pass_on();
      return s.raised;
    }
  };

  using text = const char*;
  static char read(text p) { return static_cast<char>(pgm_read_byte(p)); }

  static tick now() { return static_cast<tick>(micros()); }

  /// Does nothing: the scheduler reads the clock whenever it attends to its timers.
  static void alarm(tick) {}

  /// Returns at once, so that the scheduler attends to signals, timers and what is ready.
  static bool idle() {
    yield();
    return true;
  }

  /// Stops with interrupts off, until a watchdog resets the board if it has one. A sketch that
  /// defines `baton_require_failed` is called first.
  static __attribute__((noreturn)) void halt(uint16_t) {
    noInterrupts();
    for (volatile bool for_ever = true; for_ever;) {
    }
    __builtin_unreachable();
  }

 private:
  template <typename T>
  struct only {
    static T instance;
  };
  static __attribute__((always_inline)) state& here() { return only<state>::instance; }

  /// Raises attention, because `yield()` may have made a job ready, and a timer may be due.
  static __attribute__((noinline)) void pass_on() {
    here().counted = 0;
    yield();
    here().raised = 1;
  }
};

template <typename T>
T machine::only<T>::instance;

}  // namespace arduino
}  // namespace baton

#define BATON_TEXT(literal) static_cast<::baton::port::text>(PSTR(literal))
