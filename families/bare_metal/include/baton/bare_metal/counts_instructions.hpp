// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// The properties of a meter where QEMU's plugin counts. A board's meter adds `start()` and
/// `stop()`, which call the marks.
///
/// Units    instructions, and reads and writes, never cycles, because QEMU models no pipeline. An
///          empty interval is 0, because the runner subtracts the cost of the marks themselves.
struct counts_instructions {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = true;
  static constexpr bool counts() { return true; }
  static constexpr const char* unit() { return "instructions"; }
  static constexpr const char* valid() { return "instructions"; }

  /// Waits for nothing: no clock interrupts within an interval except by an alarm.
  static void settle() {}
  static constexpr uint64_t elapsed_ns() { return 0; }
};

}  // namespace board
}  // namespace baton
