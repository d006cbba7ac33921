// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/core.hpp>

// The common part of the programs of the suite memory, the empty one included: start-up, the
// console, and a variable to work on.

/// Work that the compiler cannot remove.
static volatile int work;

/// Starts the board and uses its console, so that neither counts as part of a feature.
inline void start() {
  baton::board::start();
  baton::board::console::put(static_cast<char>(work));
}
