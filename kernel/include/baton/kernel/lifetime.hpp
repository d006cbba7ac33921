// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/notifications.hpp>
#include <baton/kernel/objects.hpp>
#include <baton/kernel/pieces.hpp>
#include <baton/kernel/stacks.hpp>
#include <baton/kernel/task_times.hpp>

/// The beginning and the end of tasks: the kernel's part of these calls.
namespace baton {
namespace kernel {

namespace detail {

inline void notify_of_end(kernel_state& m, tcb* t) {
  if (!t) return;
  add_notifications(t, ended_notification);
  wake_for_notifications(m, t);
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
  const reach& r = d.touches;
  const bool names_more = r.shared.bytes != 0 || r.device.bytes != 0;
  if (names_more && (!r.is_private || r.shared.bytes == two_pieces)) return error::bad_buffer;
  if (!kernel_port::is_reach(r)) return error::bad_buffer;
  const bool may = !maker || maker->is_privileged || kernel_port::may_give(maker->context, d.touches);
  return may ? why_port_refuses(d) : error::no_right;
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
  restart_time(m, *t);
  t->become(state::ready);
  m.ready.push(t);
}

/// The task that made `t` or, if that has ended, the nearest maker before it; null if that is main.
inline tcb* parent_of(const kernel_state& m, const tcb* t) {
  return t->made.parent ? m.table + t->made.parent - 1 : nullptr;
}

/// Ends a task in any state, because of `f` if it has failed: its wait ends, and the tasks that
/// wait for it learn that it has gone. The caller chooses the running task's successor.
/// Cost     O(slots)
inline void end(kernel_state& m, tcb* t, ending how, const failure* f = nullptr) {
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
  if (m.ends) m.ends->ended(m, *m.ends, *t, how, f);
  t->id = next_id(t->id);
  t->become(state::free);
  if (m.coroutine_server == t) m.coroutine_server = nullptr;
  if (m.running == t) m.running = nullptr;
  notify_of_end(m, m.coroutine_server);
}

}  // namespace detail

/// Ends the running task because of a fault, and returns the task that runs next.
/// Context  in the kernel; `address` is that of the instruction, or of the memory that was touched.
inline tcb* fail(kernel_state& m, fault why, word address, const fault_registers* registers = nullptr) {
  if (m.on_fault) m.on_fault(m, *m.running, why, address);
  const failure f = {why, address, registers};
  detail::end(m, m.running, ending::failed, &f);
  return detail::count_time(m, m.next());
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
  detail::end(m, m.running, ending::exited);
  return m.next();
}

/// Ends another task, as if it had called `exit`. Its children become those of its parent.
///
/// Errors   bad_task. no_right: the task is neither the caller nor a child of it, and the caller
///          has no privileges.
inline tcb* kill(kernel_state& m, request& r) {
  tcb* t = m.find(as_kill(r).victim());
  if (!t) return detail::refuse(m, r, error::bad_task);
  if (t != m.running && detail::parent_of(m, t) != m.running && !m.running->is_privileged)
    return detail::refuse(m, r, error::no_right);
  detail::end(m, t, ending::killed);
  if (!m.running) return m.next();
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

}  // namespace kernel
}  // namespace baton
