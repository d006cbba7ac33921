// SPDX-License-Identifier: MIT
#ifndef BATON_SIMAVR_PACE_H
#define BATON_SIMAVR_PACE_H

#include <stdint.h>

// Keeps the simulated time from running ahead of the real time.
struct pace {
  uint64_t hz, began_ns;
  uint64_t next;  // the cycle of the next look at the clock
};

// Begins at cycle 0, now. `hz` is the chip's frequency; with 0 there is no pace to keep.
struct pace pace_begin(uint64_t hz);

// Waits, at most once in a millisecond of the simulated time, until the real time has caught up.
void pace_keep(struct pace* pace, uint64_t cycle);

#endif
