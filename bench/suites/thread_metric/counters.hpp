// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace suite_thread_metric {

/// True if `count` counters have advanced together: none is further than 1 from their average, as
/// the original reports test.
inline bool have_advanced_together(const volatile uint32_t* counters, uint8_t count) {
  uint32_t sum = 0;
  for (uint8_t i = 0; i < count; ++i) sum += counters[i];
  const uint32_t average = sum / count;
  for (uint8_t i = 0; i < count; ++i) {
    const uint32_t off_by_one = counters[i] + 1 - average;  // 0 to 2 where it is in the range
    if (off_by_one > 2) return false;
  }
  return true;
}

}  // namespace suite_thread_metric
