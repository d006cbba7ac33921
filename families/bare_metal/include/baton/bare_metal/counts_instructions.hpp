// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// What a meter says of itself where QEMU's plugin counts. A board's meter adds `start()` and `stop()`, which call the marks.
///
/// Units    instructions, and reads and writes, never cycles: QEMU models no pipeline. An empty interval is 0, because the runner
///          subtracts what the marks themselves cost.
struct counts_instructions {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = true;
  static constexpr bool counts() { return true; }
  static constexpr const char* unit() { return "instructions"; }
  static constexpr const char* valid() { return "instructions"; }

  /// Nothing to wait for: no clock interrupts within an interval but by an alarm.
  static void settle() {}
  static constexpr uint64_t elapsed_ns() { return 0; }
};

}  // namespace board
}  // namespace baton
