// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <stdint.h>

// Every AVR of the Arduino core but the ATmega8 has a compare unit B of Timer0 whose interrupt is
// free: that interrupt raises attention. Elsewhere the scheduler's own test of the flag reads the
// clock from time to time.
#if defined(__AVR__) && defined(GPIOR0) && defined(TIMSK0) && defined(OCIE0B) && defined(TIMER0_COMPB_vect)
#include <baton/arduino/machine_avr.hpp>
#else
#include <baton/arduino/machine_any.hpp>
#endif

namespace baton {

struct job;
enum class transition : uint8_t;

/// Core's platform over the API of an Arduino core: a sketch keeps `millis()`, `delay()`, `Serial`
/// and its libraries.
///
/// Units    a tick is 1 us of `micros()`, which at 16 MHz advances by 4 at a time. It wraps after
///          71 minutes, so a deadline lies at most 34.6 minutes ahead; `long_timed` sleeps longer.
/// Context  `setup()` and `loop()`: jobs run inside `scheduler::run()`, which never returns, or
///          inside a `scheduler::run_until_idle()` in each `loop()`, beside code of another style.
///          The port owns no timer. The machine's header (machine_avr.hpp, machine_any.hpp) names
///          what else the port takes, how late a timer can be, and how it idles.
/// Source   docs/decisions/0012-arduino-port.md.
struct port : arduino::machine {
  static constexpr uint32_t ticks_per_second = 1000000;

  static constexpr bool checked = false;

#ifdef BATON_NOTHING_DIES
  static constexpr bool nothing_dies = true;
#ifdef BATON_CHECK_NOTHING_DIES
  static constexpr bool checks_that_nothing_dies = true;
#endif
#endif

  struct waker {
    static void bind() {}
    static void raise() { attention::raise(); }
  };

  struct owner {
    static constexpr bool is_local() { return true; }
  };

  struct trace {
    static void on(transition, const job*, const void*) {}
  };

  /// There is one domain, the sketch. The start-up code zero-initializes it, at a fixed address.
  template <typename T>
  struct local {
    static T instance;
    static __attribute__((always_inline)) T& get() { return instance; }
  };

  /// Does nothing: the Arduino core has started the clock before `setup()`.
  static void start() {}

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 1;

  /// Wraps after 65 ms.
  static profile_tick16 profile_now16() { return static_cast<profile_tick16>(now()); }
  static profile_tick32 profile_now32() { return static_cast<profile_tick32>(now()); }
};

template <typename T>
T port::local<T>::instance;

}  // namespace baton
