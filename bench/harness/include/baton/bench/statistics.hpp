// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

/// The arithmetic of the measurements, as free functions.
namespace baton {
namespace bench {

/// Sorts `count` samples, in place.
/// Cost     O(count^2): for a few dozen samples.
inline void sort(uint64_t* samples, uint8_t count) {
  for (uint8_t i = 1; i < count; ++i) {
    const uint64_t sample = samples[i];
    uint8_t at = i;
    for (; at && samples[at - 1] > sample; --at) samples[at] = samples[at - 1];
    samples[at] = sample;
  }
}

/// The middle one of an odd number of sorted samples; the lower of the two middle ones of an even
/// number.
constexpr uint64_t median(const uint64_t* sorted, uint8_t count) {
  return sorted[(count - 1) / 2];
}

/// A total over a number of operations, in thousandths, rounded to the nearest.
constexpr uint64_t thousandths(uint64_t total, uint32_t operations) {
  return (total * 1000 + operations / 2) / operations;
}

}  // namespace bench
}  // namespace baton
