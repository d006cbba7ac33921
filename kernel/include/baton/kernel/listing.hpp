// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/lifetime.hpp>

namespace baton {
namespace kernel {

/// What a list of tasks says of one.
struct task_report {
  tid id;               ///< no_task: nobody has this slot
  const char* name;     ///< may be null
  kernel::state state;  ///< what it waits for
  bool is_running;
  bool is_timed;  ///< its wait has a timeout, which comes at `due`
  kernel::priority base_priority;
  kernel::priority priority;  ///< `base_priority`, or what it inherits
  tid peer;                   ///< whom it sends to, or who owes it a reply; no_task where it waits for neither
  uint8_t interrupt_event;    ///< which event it awaits
  tick due;
  word stack_bytes;
  word stack_used;  ///< the most that it has used so far, in bytes, by what was overwritten
};

namespace detail {

/// AddressSanitizer takes the gaps of a task's frames for something that must not be touched.
__attribute__((no_sanitize_address)) inline word untouched_bytes(const tcb& t) {
  word words = 0;
  while (words < t.stack_bytes / sizeof(uint32_t) && t.stack[words] == untouched) ++words;
  return words * sizeof(uint32_t);
}

}  // namespace detail

/// What the task at a slot is doing.
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
  if (t.state() == state::event_wait)
    r.interrupt_event = static_cast<uint8_t>(as_wait_interrupt_event(*t.call).event());
  r.due = t.due;
  r.stack_bytes = t.stack_bytes;
  r.stack_used = t.stack_bytes - detail::untouched_bytes(t);
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

}  // namespace handlers
}  // namespace kernel
}  // namespace baton
