// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <baton/devices/pin.hpp>
#include <stdint.h>

namespace baton {
namespace arduino {
namespace detail {

__attribute__((error("baton: this pin has no interrupt of attachInterrupt(), so nothing can listen to it"))) void
pin_without_interrupt();

}  // namespace detail

/// A pin by its Arduino number.
///
/// Shape    no state but the listener, and that only where the sketch listens.
/// Context  `listen()` takes the pin's interrupt of `attachInterrupt()`, and its two states there.
///          A pin without one does not compile where the core's `digitalPinToInterrupt` is a
///          constant; elsewhere its signal is never set.
/// Cost     that of `digitalRead()` and `digitalWrite()`: on AVR a search in tables in flash.
template <uint8_t Number>
struct pin {
  static void configure(devices::pin_mode mode) {
    if (devices::is_output(mode)) {
      digitalWrite(Number, mode == devices::pin_mode::output_high ? HIGH : LOW);
      pinMode(Number, OUTPUT);
      digitalWrite(Number, mode == devices::pin_mode::output_high ? HIGH : LOW);
    } else {
      pinMode(Number, mode == devices::pin_mode::input_pullup ? INPUT_PULLUP : INPUT);
    }
  }

  static bool read() { return digitalRead(Number) != LOW; }

  static void write(bool level) { digitalWrite(Number, level ? HIGH : LOW); }

  static void listen(isr_signal* signal) {
    const auto interrupt = digitalPinToInterrupt(Number);
#ifdef NOT_AN_INTERRUPT
    const bool has_none = interrupt == NOT_AN_INTERRUPT;
    if (__builtin_constant_p(has_none) && has_none) detail::pin_without_interrupt();
#endif
    detachInterrupt(interrupt);
    listener = signal;
    if (signal) attachInterrupt(interrupt, on_change, CHANGE);
  }

 private:
  static void on_change() { listener->set(); }

  static isr_signal* listener;
};

template <uint8_t Number>
isr_signal* pin<Number>::listener;

}  // namespace arduino
}  // namespace baton
