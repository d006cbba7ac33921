// SPDX-License-Identifier: MIT
#pragma once

#include "support.hpp"

/// A class of a program's own, between `Coroutine` and what COROUTINE makes.
struct Elsewhere : Coroutine {  // NOLINT(readability-identifier-naming): as a sketch names its classes
  uint8_t step = 1;
  uint8_t counted = 0;
};

extern uint8_t elsewhere_ran;
