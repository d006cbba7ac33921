// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel.hpp>

#include "say.hpp"

namespace kernel = baton::kernel;

/// A stack that is large enough for printing a line, on every port.
using task_stack = kernel::stack<4 * baton::kernel_port::least_stack>;

#if __has_include(<baton/sim/clock.hpp>)
#include <baton/sim/clock.hpp>

/// Keeps the processor busy for a millisecond, by moving the virtual clock.
inline void work_a_millisecond() {
  baton::sim::advance(baton::milliseconds(1));
}
#else

/// Keeps the processor busy for a millisecond, the time of other tasks included.
inline void work_a_millisecond() {
  const baton::tick end = kernel::now() + baton::milliseconds(1);
  while (!baton::is_due(end, kernel::now())) {
  }
}
#endif
