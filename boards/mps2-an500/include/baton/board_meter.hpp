// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/meter.hpp>

namespace baton {
namespace board {

/// QEMU counts instructions, and reads and writes; it models no cycle.
struct meter : marks {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = true;
  static constexpr bool counts() { return true; }
  static constexpr const char* unit() { return "instructions"; }
  static constexpr const char* valid() { return "instructions"; }
};

}  // namespace board
}  // namespace baton
