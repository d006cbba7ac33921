// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

#if __has_include(<baton/sim/clock.hpp>)
#include <baton/sim/clock.hpp>

/// Keeps the processor busy for `ticks`, by moving the virtual clock.
inline void work_for(baton::tick ticks) {
  baton::sim::advance(ticks);
}
#else

/// Keeps the processor busy for `ticks`.
inline void work_for(baton::tick ticks) {
  const baton::tick end = baton::port::now() + ticks;
  while (!baton::is_due(end, baton::port::now())) {
  }
}
#endif
