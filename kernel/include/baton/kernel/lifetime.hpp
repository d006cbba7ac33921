// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/notifications.hpp>

/// The beginning and the end of tasks, and reports on them: the kernel's part of these calls.
namespace baton {
namespace kernel {

/// The notification bit that tells the coroutine server that another task has ended, which may have
/// left something in a primitive.
constexpr word ended_notification = ~(static_cast<word>(-1) >> 1) >> 1;

namespace detail {

inline void notify_coroutine_server_of_end(kernel_state& m) {
  if (!m.coroutine_server) return;
  add_notifications(m.coroutine_server, ended_notification);
  wake_for_notifications(m, m.coroutine_server);
}

/// The content of a stack where nothing was written yet. Its lowest word is the guard. (An
/// immediate operand on every processor.)
constexpr uint32_t untouched = 0xa5000000;

/// True if two pieces of memory share a byte.
inline bool overlap(const void* a, word a_bytes, const void* b, word b_bytes) {
  const word from = reinterpret_cast<word>(a);
  const word other = reinterpret_cast<word>(b);
  return from < other + b_bytes && other < from + a_bytes;
}

inline bool is_bad_stack(const kernel_state& m, const task_description& d) {
  const word from = reinterpret_cast<word>(d.stack);
  if (!d.stack || d.stack_bytes > largest_stack || from + d.stack_bytes < from) return true;
  if (d.stack_bytes < kernel_port::least_stack || from % kernel_port::alignment_of_stack(d.stack_bytes) != 0)
    return true;
  if (!kernel_port::is_stack_size(d.stack_bytes) || overlap(&m, sizeof m, d.stack, d.stack_bytes) ||
      overlap(m.table, m.slots * sizeof(tcb), d.stack, d.stack_bytes)) {
    return true;
  }
  walk<8> w;
  for (const tcb* t = m.table; t != m.table + m.slots; ++t) {
    w.step();
    if (!t->is_free() && overlap(t->stack, t->made.stack_bytes, d.stack, d.stack_bytes)) return true;
  }
  return false;
}

/// True if the object is null, not aligned, or not accessible to the running task. `main` is
/// believed.
template <typename T>
inline bool is_bad_object(const kernel_state& m, word address, bool is_written) {
  if (address == 0 || address % alignof(T) != 0) return true;
  return kernel_port::protects_memory && m.running &&
         !kernel_port::may_access(m.running->context, reinterpret_cast<const void*>(address), sizeof(T), is_written);
}

inline tcb* free_slot(const kernel_state& m) {
  walk<10> w;
  for (tcb* t = m.table; t != m.table + m.slots; ++t) {
    if (t->is_free()) return t;
    w.step();
  }
  return nullptr;
}

#ifdef BATON_PRIVATE_MEMORY
inline error why_not_touch(const tcb* maker, const task_description& d) {
  if (!kernel_port::is_reach(d.touches)) return error::bad_buffer;
  const bool may = !maker || maker->is_privileged || kernel_port::may_give(maker->context, d.touches);
  return may ? error::none : error::no_right;
}
#else
inline error why_not_touch(const tcb*, const task_description&) {
  return error::none;
}
#endif

/// Tells why a task may not give all this to a child: main and tasks with privileges may.
inline error why_not_by(const tcb* maker, const task_description& d) {
  if (!maker || maker->is_privileged) return error::none;
  if (d.is_privileged || d.priority > maker->base_priority) return error::no_right;
  if (!kernel_port::may_be_stack(d.stack, d.stack_bytes)) return error::bad_stack;
  return kernel_port::is_program(d.entry, d.name) ? error::none : error::bad_buffer;
}

inline error why_not(const kernel_state& m, const task_description& d) {
  if (d.priority >= m.priority_levels) return error::bad_priority;
  if (!d.entry) return error::bad_buffer;
  if (is_bad_stack(m, d)) return error::bad_stack;
  const error e = why_not_touch(m.running, d);
  return e != error::none ? e : why_not_by(m.running, d);
}

/// The next id of a slot; it has not been used for a long time.
inline tid next_id(tid id) {
  const tid next = id + 0x100;
  return next >> 8 != 0 ? next : next + 0x100;
}

/// The end of the part of a stack that is looked at, or filled, before interrupts are let in.
template <typename Word>
BATON_INLINE Word* part_of(Word* from, Word* end) {
  constexpr word words = 32;
  return kernel_port::masks_interrupts && static_cast<word>(end - from) > words ? from + words : end;
}

/// Fills a stack with `untouched`. AddressSanitizer would refuse the writes: it takes the remains
/// of a task's frames for memory that must not be touched, until the port says otherwise.
__attribute__((no_sanitize_address)) inline void paint(const task_description& d) {
  uint32_t* at = static_cast<uint32_t*>(d.stack);
  uint32_t* const end = at + d.stack_bytes / sizeof(uint32_t);
  while (at != end) {
    kernel_port::window();
    for (uint32_t* const next = part_of(at, end); at != next; ++at) *at = untouched;
  }
}

/// The slot of a task, from 1.
BATON_INLINE uint8_t number_of(const tcb* t) {
  return static_cast<uint8_t>(t->id + 1);
}

inline void begin(kernel_state& m, tcb* t, const task_description& d) {
  paint(d);
  t->base_priority = t->priority = d.priority;
  t->notifications = 0;
  t->notification_mask = 0;
  t->name = d.name;
  t->stack = static_cast<uint32_t*>(d.stack);
  t->made.stack_bytes = d.stack_bytes & largest_stack;
  t->made.parent = m.running ? number_of(m.running) : uint8_t{0};
  kernel_port::prepare(t->context, d);
  t->become(state::ready);
  m.ready.push(t);
}

/// The task that made `t` or, if that has ended, the nearest maker before it; null if that is main.
inline tcb* parent_of(const kernel_state& m, const tcb* t) {
  return t->made.parent ? m.table + t->made.parent - 1 : nullptr;
}

/// Ends a task in any state: its wait ends, and the tasks that wait for it learn that it has gone.
/// The caller chooses the running task's successor.
/// Cost     O(slots)
inline void end(kernel_state& m, tcb* t) {
  if (!t->is(state::ready)) {
    leave(m, t);
  } else if (t->next) {
    m.ready.remove(t);
  }
  t->senders = t->lenders = nullptr;
  walk<4> w;
  for (tcb* other = m.table; other != m.table + m.slots; ++other) {
    w.step();
    if (waits_for(other, t)) {
      kernel_port::window();
      other->next = nullptr;
      other->renew_token();
      wake(m, other, error::peer_gone);
    }
    if (other->made.parent == number_of(t)) other->made.parent = t->made.parent;
  }
  t->id = next_id(t->id);
  t->become(state::free);
  if (m.coroutine_server == t) m.coroutine_server = nullptr;
  if (m.running == t) m.running = nullptr;
  notify_coroutine_server_of_end(m);
}

}  // namespace detail

/// Ends the running task because of a fault, and returns the task that runs next.
/// Context  in the kernel; `address` is that of the instruction, or of the memory that was touched.
inline tcb* fail(kernel_state& m, fault why, word address) {
  if (m.on_fault) m.on_fault(m, *m.running, why, address);
  detail::end(m, m.running);
  return m.next();
}

namespace handlers {

/// Makes a task, which is ready at once. A more urgent one runs at once.
///
/// Context  the stack of the description is the task's until it ends.
/// Errors   table_full, bad_priority; bad_stack, bad_buffer: the stack, or the entry or name, is
///          not the caller's to give. no_right: a task without privileges cannot give them, nor
///          more urgency than it has itself. No task was made.
/// Cost     O(slots), and one write per word of the stack
inline tcb* create(kernel_state& m, request& r) {
  if (detail::is_bad_object<task_description>(m, as_create(r).description(), false))
    return detail::refuse(m, r, error::bad_buffer);
  // A copy: it may lie in the memory that becomes the stack.
  const task_description d = *reinterpret_cast<const task_description*>(as_create(r).description());
  const error e = detail::why_not(m, d);
  if (e != error::none) return detail::refuse(m, r, e);
  tcb* t = detail::free_slot(m);
  if (!t) return detail::refuse(m, r, error::table_full);
  kernel_port::window();
  detail::begin(m, t, d);
  t->is_privileged = d.is_privileged;
  detail::complete(r, error::none);
  as_create(r).set_id(t->id);
  return m.running ? m.yield_to_higher_priority() : nullptr;
}

/// Ends the running task. The tasks that wait for it get `peer_gone`.
inline tcb* exit(kernel_state& m, request&) {
  detail::end(m, m.running);
  return m.next();
}

/// Ends another task, as if it had called `exit`. Its children become those of its parent.
///
/// Errors   bad_task. no_right: the task is neither the caller nor a child of it, and the caller
///          has no privileges.
inline tcb* kill(kernel_state& m, request& r) {
  tcb* t = m.find(as_kill(r).victim());
  if (!t) return detail::refuse(m, r, error::bad_task);
  if (t == m.running) return exit(m, r);
  if (detail::parent_of(m, t) != m.running && !m.running->is_privileged) return detail::refuse(m, r, error::no_right);
  detail::end(m, t);
  detail::complete(r, error::none);
  return m.yield_to_higher_priority();
}

/// Lets the other tasks that are as urgent run first.
inline tcb* yield(kernel_state& m, request& r) {
  detail::complete(r, error::none);
  return m.running = m.ready.exchange(m.running);
}

inline tcb* my_tid(kernel_state& m, request& r) {
  as_id(r).set_id(m.running->id);
  return m.running;
}

/// Returns the id of the task that made this one or, if that has ended, of the nearest one before
/// it; no_task if main made the first of them.
inline tcb* parent(kernel_state& m, request& r) {
  const tcb* made_by = detail::parent_of(m, m.running);
  as_id(r).set_id(made_by ? made_by->id : no_task);
  return m.running;
}

}  // namespace handlers

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
};

namespace detail {

/// Counts the bytes of a stack that were never written. AddressSanitizer would refuse the reads: it
/// takes the gaps of a task's frames for memory that must not be touched.
__attribute__((no_sanitize_address)) inline word untouched_bytes(const tcb& t) {
  const uint32_t* at = t.stack;
  const uint32_t* const end = at + t.made.stack_bytes / sizeof(uint32_t);
  while (at != end) {
    kernel_port::window();
    const uint32_t* const next = part_of(at, end);
    while (at != next && *at == untouched) ++at;
    if (at != next) break;
  }
  return static_cast<word>(at - t.stack) * sizeof(uint32_t);
}

}  // namespace detail

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
