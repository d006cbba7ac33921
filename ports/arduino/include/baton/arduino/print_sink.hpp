// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <baton/port.hpp>

namespace baton {

/// A sink for core's renderers that prints to any Arduino `Print`: `baton::print_sink
/// out(Serial);`.
///
/// Context  that of `Print::write`: a job, `setup()` or `loop()`, never an interrupt.
struct print_sink {
  explicit print_sink(Print& print) : to(print) {}
  void put(char c) { to.write(static_cast<uint8_t>(c)); }

  Print& to;
};

/// Converts a BATON_TEXT, for instance a coroutine's name, to the form that `Serial.print` prints:
/// on AVR it lies in flash.
inline const __FlashStringHelper* printable(port::text text) {
  return reinterpret_cast<const __FlashStringHelper*>(text);
}

}  // namespace baton
