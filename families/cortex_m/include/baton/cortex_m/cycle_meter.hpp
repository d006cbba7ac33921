// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/counter_meter.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// CYCCNT of the Data Watchpoint and Trace unit, which a Cortex-M3 or M4 may have.
///
/// Source   ARMv7-M Architecture Reference Manual, "DEMCR", "DWT_CTRL" and "DWT_CYCCNT"
struct dwt_counter {
  static constexpr uint32_t cycles = 1;
  static void start() {
    at(0xE000EDFC) = at(0xE000EDFC) | 1u << 24;  // TRCENA
    at(0xE0001000) = at(0xE0001000) | 1u;        // CYCCNTENA
  }
  static inline __attribute__((always_inline)) uint32_t read() { return at(0xE0001004); }

 private:
  static inline __attribute__((always_inline)) volatile uint32_t& at(uint32_t address) {
    return *reinterpret_cast<volatile uint32_t*>(address);
  }
};

/// A meter that counts every cycle but those in which the processor sleeps. An interval takes up to
/// 2^32 of them.
struct cycle_meter : counter_meter<dwt_counter> {};

}  // namespace board
}  // namespace baton
