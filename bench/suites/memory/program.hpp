// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/core.hpp>

// What every program of the suite memory has, the empty one too: start-up, the console, and a variable to work on.

/// Work that the compiler cannot leave out.
static volatile int work;

/// Starts the board and uses its console, so that neither is counted as a feature's.
inline void start() {
  baton::board::start();
  baton::board::console::put(static_cast<char>(work));
}
