// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/objects.hpp>
#include <baton/kernel/scheduler.hpp>
#include <baton/kernel/stacks.hpp>
#include <baton/kernel/task_times.hpp>

/// Reports on tasks: the kernel's part of these calls.
namespace baton {
namespace kernel {

/// The report on one task, for lists of tasks.
struct task_report {
  tid id;               ///< no_task: the slot is free
  const char* name;     ///< may be null
  kernel::state state;  ///< what the task waits for
  bool is_running;
  bool is_timed;  ///< the wait has a timeout, which comes at `due`
  kernel::priority base_priority;
  kernel::priority priority;  ///< `base_priority`, or the inherited one
  tid peer;                   ///< the task that it has sent to; no_task if there is none
  reply_token message;        ///< its message to `peer`
  uint8_t interrupt_event;    ///< the event that it waits for
  tick due;
  word stack_bytes;
  word stack_used;  ///< the most that was overwritten so far, in bytes
#ifdef BATON_TASK_TIMES
  task_time time;
#endif
};

/// Reports on a task.
/// Context  in the kernel, or while no task runs.
/// Cost     O(its untouched stack)
inline void report(const kernel_state& m, const tcb& t, task_report& r) {
  r = {};
  if (t.is_free()) return;
  r.id = t.id;
  r.name = t.name;
  r.state = t.state();
  r.is_running = &t == m.running;
  r.is_timed = t.is_timed();
  r.base_priority = t.base_priority;
  r.priority = t.priority;
  r.peer = t.peer ? t.peer->id : no_task;
  r.message = {t.token};
  if (t.state() == state::event_wait)
    r.interrupt_event = static_cast<uint8_t>(as_wait_interrupt_event(*t.call).event());
  r.due = t.due;
  r.stack_bytes = t.made.stack_bytes;
  r.stack_used = t.made.stack_bytes - detail::untouched_bytes(t);
#ifdef BATON_TASK_TIMES
  r.time = detail::time_of(m, t);
#endif
}

namespace handlers {

/// Reports on the task at a slot of the table.
///
/// Context  slots count from 0.
/// Errors   bad_task: the table has no such slot. bad_buffer.
inline tcb* inspect(kernel_state& m, request& r) {
  if (as_inspect(r).slot() >= m.slots) return detail::refuse(m, r, error::bad_task);
  if (detail::is_bad_object<task_report>(m, as_inspect(r).report(), true))
    return detail::refuse(m, r, error::bad_buffer);
  report(m, m.table[as_inspect(r).slot()], *reinterpret_cast<task_report*>(as_inspect(r).report()));
  return detail::complete(m, r);
}

/// Takes the oldest report on the end of a task that is for the caller: see `end_reports`.
///
/// Errors   would_wait: there is none. bad_call: the program has no `end_reports`. bad_buffer.
inline tcb* take_end_report(kernel_state& m, request& r) {
  if (!m.ends) return detail::refuse(m, r, error::bad_call);
  if (detail::is_bad_object<end_report>(m, as_take_end_report(r).report(), true))
    return detail::refuse(m, r, error::bad_buffer);
  return m.ends->take(m, *m.ends, r);
}

}  // namespace handlers

}  // namespace kernel
}  // namespace baton
