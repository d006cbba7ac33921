// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/scheduler.hpp>

/// Time slices, for programs that want them: tasks of one priority that do not wait take turns.
namespace baton {
namespace kernel {
namespace detail {

/// The task whose turn it is waits behind one that is more urgent; null where it does not.
inline tcb* preempted_in_slice(const kernel_state& m, const slicing& s) {
  tcb* t = m.find(s.owner);
  return t && t != m.running && t->is(state::ready) && t->priority < m.running->priority ? t : nullptr;
}

/// A task has at least one time slice while others as urgent are ready, and less than two: it begins when the kernel first looks. It goes on
/// while somebody more urgent runs.
inline void end_slice(kernel_state& m, slicing& s) {
  tcb* running = m.running;
  if (!running) return;
  tcb* preempted = preempted_in_slice(m, s);
  if ((preempted || s.owner == running->id) && !is_past(s.end)) return;
  if (preempted) {
    m.ready.remove(preempted);
    m.ready.push(preempted);
  } else if (s.owner == running->id && m.ready.from(running->priority) == 1) {
    m.ready.push(running);
    running = m.next();
    if (!running) __builtin_unreachable();
  }
  s.owner = preempted ? no_task : running->id;
  s.end = port::now() + s.length;
}

}  // namespace detail

/// From now on a task of this kernel runs at least `length` while others as urgent are ready, and less than two such slices; without, until it
/// waits.
///
///     BATON_KERNEL_MEMORY baton::kernel::time_slices turns{kernel, 300};
///
/// Shape    what a program without time slices does not hold, nor their code.
/// Units    ticks.
/// Context  before `run`; it outlives it.
/// Cost     an alarm a slice.
struct time_slices : slicing {
  time_slices(kernel_state& m, tick length) : slicing{length, 0, no_task, &detail::end_slice} { m.slices = this; }
  time_slices(const time_slices&) = delete;
  time_slices& operator=(const time_slices&) = delete;
};

}  // namespace kernel
}  // namespace baton
