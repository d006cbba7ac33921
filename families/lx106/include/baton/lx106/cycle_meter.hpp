// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/counter_meter.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// CCOUNT, which runs with the processor.
///
/// Source   Xtensa ISA Reference Manual, 4.4.6 "Timer Interrupt Option"
struct ccount_counter {
  static constexpr uint32_t cycles = 1;
  static void start() {}
  static inline __attribute__((always_inline)) uint32_t read() {
    uint32_t count;
    __asm__ volatile("rsr.ccount %0" : "=a"(count)::"memory");
    return count;
  }
};

/// A meter that counts every cycle. An interval takes up to 2^32 of them.
struct cycle_meter : counter_meter<ccount_counter> {};

}  // namespace board
}  // namespace baton
