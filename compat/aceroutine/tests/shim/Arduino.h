// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <baton/core/attributes.hpp>
#include <baton/core/platform.hpp>

// The part of the Arduino API that compat/aceroutine calls, on the port of the program: in virtual
// time, on Linux, on a bare board. The names are Arduino's.

#ifndef PROGMEM
#define PROGMEM
#endif

class __FlashStringHelper;
#define F(literal) (reinterpret_cast<const __FlashStringHelper*>(BATON_TEXT(literal)))

namespace arduino_shim {

constexpr uint32_t rate = baton::port::ticks_per_second;

/// The time since the clock was started, in units of 1/`PerSecond` second. It wraps as Arduino's
/// clock does if `long` has 32 bits.
template <uint32_t PerSecond>
BATON_INLINE unsigned long time() {
  baton::tick now = baton::port::now();
  return static_cast<unsigned long>(rate >= PerSecond ? now / (rate >= PerSecond ? rate / PerSecond : 1)
                                                      : now * (rate < PerSecond ? PerSecond / rate : 1));
}

}  // namespace arduino_shim

BATON_INLINE unsigned long millis() {
  return arduino_shim::time<1000>();
}
BATON_INLINE unsigned long micros() {
  return arduino_shim::time<1000000>();
}

class Print {  // NOLINT(cppcoreguidelines-virtual-class-destructor): as Arduino has it
 public:
  virtual size_t write(uint8_t c) = 0;

  size_t print(const char* text) {
    size_t n = 0;
    while (*text) n += write(static_cast<uint8_t>(*text++));
    return n;
  }
  size_t print(const __FlashStringHelper* text) {
    size_t n = 0;
    baton::port::text p = reinterpret_cast<baton::port::text>(text);
    for (char c; (c = baton::port::read(p)) != 0; ++p) n += write(static_cast<uint8_t>(c));
    return n;
  }
};
