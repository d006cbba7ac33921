#pragma once

#include <stdint.h>

/// Eight steps of light that repeat: bit 0 is the first.
struct pattern {
  explicit pattern(uint8_t lit_steps) : bits(lit_steps) {}

  /// Returns whether the next step is lit.
  bool next() {
    const bool lit = (bits >> step & 1) != 0;
    step = (step + 1) & 7;
    return lit;
  }

  uint8_t bits;
  uint8_t step = 0;
};
