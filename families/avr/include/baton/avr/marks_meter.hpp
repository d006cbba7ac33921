// SPDX-License-Identifier: MIT
#pragma once

#include <avr/io.h>
#include <stdint.h>

namespace baton {
namespace board {

/// Marks the interval that a benchmark measures; the simulator's runner stamps both marks with its
/// cycle count.
///
/// Units    cycles; an empty interval is 0, because the runner subtracts the cost of the marks
///          themselves.
/// Context  anywhere; intervals do not nest.
/// Cost     `ldi` and `out` each. They are written in assembly because the compiler could load both
///          constants before the interval, and the cost of an empty interval would depend on the
///          code around it.
struct avr_marks_meter {
  /// The program prints `key=#K`, and the lab fills in the count of the interval K since the last
  /// record.
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = false;
  static constexpr bool counts() { return true; }
  static constexpr const char* unit() { return "cycles"; }
  static constexpr const char* valid() { return "simulated"; }

  /// Returns when the clock, Timer1, has just wrapped, so that its overflow interrupt does not come
  /// in the next 32 ms.
  static void settle() {
    for (uint16_t t = 0; t < 64 || t >= 256;) t = TCNT1;
  }

  static void start() { mark<1>(); }
  static void stop() { mark<2>(); }
  static constexpr uint64_t elapsed_ns() { return 0; }

 private:
  template <uint8_t Value>
  static inline __attribute__((always_inline)) void mark() {
    uint8_t scratch;
    __asm__ volatile("ldi %0, %2\n\tout %1, %0" : "=d"(scratch) : "I"(_SFR_IO_ADDR(GPIOR1)), "M"(Value) : "memory");
  }
};

}  // namespace board
}  // namespace baton
