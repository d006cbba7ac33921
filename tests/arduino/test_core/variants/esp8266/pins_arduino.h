// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

// As in the ESP8266's own core, each string in flash has a section of its own, whose name takes a
// value of __COUNTER__.
#define TEST_CORE_TEXT(number) #number
#define TEST_CORE_SECTION(number) __attribute__((section(".rodata.flash." TEST_CORE_TEXT(number))))
#define PROGMEM TEST_CORE_SECTION(__COUNTER__)

#define noInterrupts()                                    \
  __extension__({                                         \
    uint32_t ps;                                          \
    __asm__ volatile("rsil %0, 15" : "=a"(ps)::"memory"); \
  })
#define interrupts()                                     \
  __extension__({                                        \
    uint32_t ps;                                         \
    __asm__ volatile("rsil %0, 0" : "=a"(ps)::"memory"); \
  })

namespace test_core {

/// Masks interrupts while it lives; nests.
struct masked {
  masked() { __asm__ volatile("rsil %0, 15" : "=a"(ps)::"memory"); }
  ~masked() { __asm__ volatile("wsr.ps %0\n\trsync" ::"a"(ps) : "memory"); }
  uint32_t ps;
};

}  // namespace test_core
