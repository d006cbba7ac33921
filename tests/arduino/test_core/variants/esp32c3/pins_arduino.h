// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#define PROGMEM
#define noInterrupts() __asm__ volatile("csrci mstatus, 8" ::: "memory")
#define interrupts() __asm__ volatile("csrsi mstatus, 8" ::: "memory")

namespace test_core {

/// Masks interrupts while it lives; nests.
struct masked {
  masked() { __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(mstatus)::"memory"); }
  ~masked() { __asm__ volatile("csrs mstatus, %0" ::"r"(mstatus & 8) : "memory"); }
  uint32_t mstatus;
};

}  // namespace test_core
