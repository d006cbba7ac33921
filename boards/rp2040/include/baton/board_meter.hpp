// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/meter.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// Marks between which the runner counts cycles, reads and writes; emulators/rp2040js/README.md
/// says how near the counts are to the chip's.
struct meter : marks {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = true;
  static constexpr bool counts() { return true; }
  static constexpr const char* unit() { return "cycles"; }
  static constexpr const char* valid() { return "approximate"; }

  /// Returns when the clock, SysTick, does not interrupt in the next 80 ms.
  static void settle() {
    volatile const uint32_t* systick = reinterpret_cast<volatile const uint32_t*>(0xE000E010);
    while ((systick[0] & 1) && systick[2] < 1u << 22) {
    }
  }
  static constexpr uint64_t elapsed_ns() { return 0; }
};

}  // namespace board
}  // namespace baton
