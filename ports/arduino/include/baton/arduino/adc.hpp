// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <baton/devices/adc.hpp>
#include <stdint.h>

namespace baton {
namespace arduino {

/// An analog pin by its Arduino number: `adc<A0>`.
///
/// Units    `full_scale` is 1023, the resolution that `analogRead()` has on every core unless the
///          sketch changes it.
/// Context  the API cannot convert in the background: `start()` waits for the conversion (104 us on
///          an AVR at 16 MHz) and sets the signal itself.
template <uint8_t Number>
struct adc {
  static constexpr uint16_t full_scale = 1023;

  static status start() {
    the().result = static_cast<uint16_t>(analogRead(Number));
    the().is_ready = true;
    if (the().listener) the().listener->set();
    return status::ok;
  }
  static bool ready() { return the().is_ready; }
  static uint16_t read() { return the().result; }
  static void listen(isr_signal* signal) { the().listener = signal; }

 private:
  struct state {
    isr_signal* listener = nullptr;
    uint16_t result = 0;
    bool is_ready = false;
  };

  template <typename T>
  struct only {
    static T instance;
  };
  static state& the() { return only<state>::instance; }
};

template <uint8_t Number>
template <typename T>
T adc<Number>::only<T>::instance;

}  // namespace arduino
}  // namespace baton
