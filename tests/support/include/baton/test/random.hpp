// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace test {

/// Numbers from a seed, the same on every target.
///
/// Source   the linear congruential generator of Numerical Recipes; the low bits are poor, so the
///          high ones are taken.
class random {
 public:
  explicit random(uint32_t seed) : state_(seed) {}

  /// A number below `limit`.
  uint16_t below(uint16_t limit) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<uint16_t>((state_ >> 16) * limit >> 16);
  }

  bool one_in(uint16_t n) { return below(n) == 0; }

 private:
  uint32_t state_;
};

}  // namespace test
}  // namespace baton
