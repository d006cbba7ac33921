// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

#if __has_include(<baton/sim/clock.hpp>)
#include <baton/sim/clock.hpp>

/// Keeps the processor busy for a time, by moving the virtual clock.
inline void work_for(baton::duration length) {
  baton::sim::advance(length);
}
#else

/// Keeps the processor busy for a time.
inline void work_for(baton::duration length) {
  const baton::tick end = baton::port::now() + length;
  while (!baton::is_due(end, baton::port::now())) {
  }
}
#endif
