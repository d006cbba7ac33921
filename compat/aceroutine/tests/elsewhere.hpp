// SPDX-License-Identifier: MIT
#pragma once

#include "support.hpp"

/// A class of a program, between `Coroutine` and the class that COROUTINE makes.
struct Elsewhere : Coroutine {  // NOLINT(readability-identifier-naming): sketches name classes like this
  uint8_t step = 1;
  uint8_t counted = 0;
};

extern uint8_t elsewhere_ran;
extern Channel<int> part_numbers;
extern int part_got;
