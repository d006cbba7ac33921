// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

#if __has_include(<baton/sim/clock.hpp>)
#include <baton/sim/clock.hpp>

/// A step that keeps the processor busy for `ticks`: in virtual time it moves the clock.
inline void work_for(baton::tick ticks) {
  baton::sim::advance(ticks);
}
#else

/// A step that keeps the processor busy for `ticks`.
inline void work_for(baton::tick ticks) {
  const baton::tick end = baton::port::now() + ticks;
  while (!baton::is_due(end, baton::port::now())) {
  }
}
#endif
