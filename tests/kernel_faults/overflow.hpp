// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

namespace faults {

/// Calls itself until its stack has long been exceeded, and lets the kernel test it if the
/// processor has not.
__attribute__((noinline)) inline uint32_t go_down(volatile uint32_t* top) {
  volatile uint32_t here[4];
  here[0] = reinterpret_cast<uintptr_t>(top) & 1;
  const uintptr_t depth = reinterpret_cast<uintptr_t>(top) - reinterpret_cast<uintptr_t>(&here[0]);
  if (depth > sizeof victim_stack + 64) {
    kernel::sleep(baton::ticks(1));
    return 0;
  }
  return go_down(top) + here[0];
}

inline void overflow(void*) {
  volatile uint32_t top = 0;
  top = go_down(&top);
}

}  // namespace faults
