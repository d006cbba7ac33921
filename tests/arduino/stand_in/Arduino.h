// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string>

// The part of the Arduino API that ports/arduino calls, for a host: the test advances the time.

namespace arduino_stand_in {

struct machine {
  unsigned long now_us = 0;
  uint32_t clock_readings = 0;
  uint32_t yields = 0;
  int masked = 0;
  void (*on_yield)() = nullptr;
};

inline machine& here() {
  static machine m;
  return m;
}

}  // namespace arduino_stand_in

inline unsigned long micros() {
  ++arduino_stand_in::here().clock_readings;
  return arduino_stand_in::here().now_us;
}

inline void yield() {
  ++arduino_stand_in::here().yields;
  if (arduino_stand_in::here().on_yield) arduino_stand_in::here().on_yield();
}

inline void noInterrupts() {  // NOLINT(readability-identifier-naming): as in the Arduino API
  arduino_stand_in::here().masked = 1;
}

inline void interrupts() {
  arduino_stand_in::here().masked = 0;
}

class __FlashStringHelper;
#define PSTR(literal) (literal)
// NOLINTNEXTLINE(readability-identifier-naming): as in the Arduino API
#define pgm_read_byte(address) (*reinterpret_cast<const uint8_t*>(address))

struct Print {  // NOLINT(readability-identifier-naming): as in the Arduino API
  size_t write(uint8_t c) {
    text += static_cast<char>(c);
    return 1;
  }
  std::string text;
};
