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
  using difference = int32_t;
};
template <>
struct clock_of<8> {
  using tick = uint64_t;
  using difference = int64_t;
};

/// The port's machine on an Arduino core of which only the API is known: `micros()`, `yield()`,
/// `noInterrupts()`, `interrupts()`.
///
/// Shape    a flag, an alarm and a count, in RAM.
/// Context  the port has no interrupt of its own: each 16th time that the scheduler tests the
///          attention flag, the test reads the clock itself. So a timer is late by up to 16 steps
///          of the jobs that run. An idle scheduler polls the clock and calls `yield()` in between,
///          which keeps the watchdog and the radio of an ESP served; it does not sleep. A critical
///          section inside a `noInterrupts()` section ends both.
/// Cost     each switch counts in RAM while a timer is armed; each 16th reads the clock.
struct machine {
  using tick = clock_of<sizeof(micros())>::tick;

  static constexpr bool null_is_readable = false;
  static constexpr uint8_t switches_a_look = 16;

  struct state {
    volatile uint8_t raised;
    uint8_t armed;
    uint8_t counted;
    uint8_t depth;
    tick due;
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

  struct attention {
    static void raise() { here().raised = 1; }
    static void lower() { here().raised = 0; }
    static bool raised() {
      state& s = here();
      if (!s.raised && s.armed && ++s.counted >= switches_a_look) look();
      return s.raised;
    }
  };

  using text = const char*;
  static char read(text p) { return *p; }

  static tick now() { return static_cast<tick>(micros()); }

  static void alarm(tick due) {
    here().due = due;
    here().armed = 1;
  }

  static bool idle() {
    for (;;) {
      if (!here().raised && here().armed) look();
      if (here().raised) return true;
      yield();
    }
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
  static state& here() { return only<state>::instance; }

  static __attribute__((noinline)) void look() {
    state& s = here();
    s.counted = 0;
    if (static_cast<clock_of<sizeof(micros())>::difference>(now() - s.due) < 0) return;
    s.armed = 0;
    s.raised = 1;
  }
};

template <typename T>
T machine::only<T>::instance;

}  // namespace arduino
}  // namespace baton

#define BATON_TEXT(literal) static_cast<::baton::port::text>(literal)
