// SPDX-License-Identifier: MIT
#pragma once

#include <avr/pgmspace.h>
#include <stdint.h>

// avr-libc defines PROGMEM with an attribute of avr-g++ for objects in flash. Clang has no such
// attribute for C++, so the section is named instead.
#ifdef __clang__
#undef PROGMEM
#define PROGMEM __attribute__((section(".progmem.data")))
#endif

/// The parts of the port that avr-g++ and clang spell differently.
namespace baton {
namespace port_detail {

/// Reads the clock into r22..r25 and changes nothing else; defined in ports/avr/src/clock.cpp. Do
/// not call it from C++.
extern "C" void baton_avr_now();

// The reader keeps every register but its result, so a caller saves none for it.
#ifdef __clang__

// Clang binds a named register to one byte, and no more.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wregister"
inline __attribute__((always_inline)) uint32_t read_clock() {
  register uint8_t a __asm__("r22");
  register uint8_t b __asm__("r23");
  register uint8_t c __asm__("r24");
  register uint8_t d __asm__("r25");
  __asm__ volatile("call baton_avr_now" : "=r"(a), "=r"(b), "=r"(c), "=r"(d)::"memory");
  return a | static_cast<uint16_t>(b << 8) | static_cast<uint32_t>(c | static_cast<uint16_t>(d << 8)) << 16;
}
#pragma clang diagnostic pop

#else

inline __attribute__((always_inline)) uint32_t read_clock() {
  register uint32_t t __asm__("r22");
  __asm__ volatile("%~call %x1" : "=r"(t) : "i"(&baton_avr_now) : "memory");
  return t;
}

#endif

}  // namespace port_detail
}  // namespace baton
