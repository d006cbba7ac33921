// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#define PROGMEM
#define noInterrupts() __asm__ volatile("cpsid i" ::: "memory")
#define interrupts() __asm__ volatile("cpsie i" ::: "memory")

namespace test_core {

/// Masks interrupts while it lives; nests.
struct masked {
  masked() { __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory"); }
  ~masked() { __asm__ volatile("msr primask, %0" ::"r"(primask) : "memory"); }
  uint32_t primask;
};

}  // namespace test_core
