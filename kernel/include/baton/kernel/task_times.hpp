// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/kernel_state.hpp>

/// The time that each task runs, and how often it is switched to: for a program that is compiled
/// with `BATON_TASK_TIMES`, the port's traps included. Any other program is the same without it.
namespace baton {
namespace kernel {
namespace detail {

#ifdef BATON_TASK_TIMES

/// Adds the time since the last switch to the task that ran, if another one runs next.
/// Context  in the kernel, last: `next` is what the entrance returns. A kernel call's time is the
///          caller's, and an interrupt's that of the task which it interrupts.
/// Cost     a compare; at a switch one reading of the clock.
BATON_INLINE tcb* count_time(kernel_state& m, tcb* next) {
  if (next == m.timed_task) return next;
  const tick now = port::now();
  if (m.timed_task) m.timed_task->time.ran += now - m.timed_since;
  m.timed_task = next;
  m.timed_since = now;
  if (next) ++next->time.switches;
  return next;
}

/// The time of a task until now.
inline task_time time_of(const kernel_state& m, const tcb& t) {
  const tick since = &t == m.timed_task ? port::now() - m.timed_since : tick{0};
  return {t.time.ran + since, t.time.switches};
}

/// Begins the time of a new task.
inline void restart_time(kernel_state& m, tcb& t) {
  t.time = {0, 0};
  if (m.timed_task == &t) m.timed_task = nullptr;
}

#else

BATON_INLINE tcb* count_time(kernel_state&, tcb* next) {
  return next;
}
BATON_INLINE void restart_time(kernel_state&, tcb&) {}

#endif

}  // namespace detail
}  // namespace kernel
}  // namespace baton
