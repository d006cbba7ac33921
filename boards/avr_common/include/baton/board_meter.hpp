// SPDX-License-Identifier: MIT
#pragma once

#include <avr/io.h>
#include <stdint.h>

namespace baton {
namespace board {

/// Marks the interval that a benchmark measures; the simulator's runner stamps both marks with its cycle count.
///
/// Units    cycles; an empty interval is 0, because the runner subtracts what the marks themselves cost.
/// Context  anywhere; intervals do not nest.
/// Cost     `ldi` and `out` each. Written in assembly because the compiler could load both constants before the
///          interval, and the cost of an empty interval would depend on the code around it.
struct meter {
  static void start() { mark<1>(); }
  static void stop() { mark<2>(); }

 private:
  template <uint8_t Value>
  static inline __attribute__((always_inline)) void mark() {
    uint8_t scratch;
    __asm__ volatile("ldi %0, %2\n\tout %1, %0" : "=d"(scratch) : "I"(_SFR_IO_ADDR(GPIOR1)), "M"(Value) : "memory");
  }
};

}  // namespace board
}  // namespace baton
