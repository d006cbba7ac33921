// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel.hpp>

/// Tests that a kernel's queues are whole. Call it while no call is under way, for example from a
/// task with interrupts masked.
namespace walk {

namespace kernel = baton::kernel;
using kernel::kernel_state;
using kernel::state;
using kernel::tcb;

inline const tcb* end_of(const kernel_state& m) {
  return m.table + m.slots;
}

inline bool is_in_a_ring(const kernel_state& m, const tcb* t) {
  return t->is(state::ready) && t != m.running;
}

/// Returns the number of ready tasks of a priority.
inline uint8_t as_urgent(const kernel_state& m, kernel::priority p) {
  uint8_t count = 0;
  for (const tcb* t = m.table; t != end_of(m); ++t) count += is_in_a_ring(m, t) && t->priority == p;
  return count;
}

/// Tests that the ring from `t` back to `t` holds all ready tasks of its priority, and no others.
inline bool is_ring(const kernel_state& m, const tcb* t) {
  uint8_t left = as_urgent(m, t->priority);
  const tcb* at = t;
  do {
    if (!at || left == 0 || !is_in_a_ring(m, at) || at->priority != t->priority) return false;
    --left;
    at = at->next;
  } while (at != t);
  return left == 0;
}

/// Returns the number of senders to `t` that stand in its queue, in order, or more than there can
/// be if the queue is broken.
inline uint8_t queue_length(const kernel_state& m, const tcb* t) {
  uint8_t count = 0;
  const tcb* before = nullptr;
  for (const tcb* s = t->senders; s; before = s, s = s->next) {
    if (count++ == m.slots || s->state() != state::send_wait || s->peer != t) return 255;
    if (before && before->priority < s->priority) return 255;
  }
  return count;
}

inline uint8_t senders_to(const kernel_state& m, const tcb* t) {
  uint8_t count = 0;
  for (const tcb* s = m.table; s != end_of(m); ++s) count += s->state() == state::send_wait && s->peer == t;
  return count;
}

/// Tests that a task's links fit its state.
inline const char* wrong_task(const kernel_state& m, const tcb* t) {
  const state what = t->state();
  const bool has_queue = is_in_a_ring(m, t) || what == state::send_wait;
  if (!has_queue && t->next) return "a task is in a queue that it should not be in";
  if (is_in_a_ring(m, t) && !is_ring(m, t)) return "a ring does not hold those who are ready";
  if (queue_length(m, t) != senders_to(m, t)) return "a queue does not hold those who send";
  const bool has_peer = what == state::send_wait || what == state::reply_wait;
  if (has_peer != (t->peer != nullptr)) return "a task waits for nobody, or for somebody and should not";
  if (t->is_timed() && (what == state::free || what == state::ready)) return "a timeout outlives its wait";
  if (what != state::free && t->priority < t->base_priority) return "a task is less urgent than its own priority";
  return nullptr;
}

inline bool are_ready_bits_right(const kernel_state& m) {
  for (kernel::priority p = 0; p < m.priority_levels; ++p) {
    if (((m.ready.from(p) & 1) != 0) != (as_urgent(m, p) != 0)) return false;
  }
  return true;
}

inline bool are_timeouts_right(const kernel_state& m) {
  uint8_t timed = 0;
  for (const tcb* t = m.table; t != end_of(m); ++t) timed += t->is_timed();
  const tcb* before = nullptr;
  for (const tcb* t = m.timed_waits.first(); t; before = t, t = t->next_timed) {
    if (timed-- == 0 || !t->is_timed()) return false;
    if (before && static_cast<baton::tick_difference>(t->due - before->due) < 0) return false;
  }
  return timed == 0;
}

inline bool are_waiters_right(const kernel_state& m) {
  uint8_t waiting = 0, registered = 0;
  for (const tcb* t = m.table; t != end_of(m); ++t) waiting += t->state() == state::event_wait;
  for (uint8_t event = 0; event < m.interrupt_events; ++event) {
    const tcb* t = m.waiters[event];
    if (t && t->state() != state::event_wait) return false;
    registered += t != nullptr;
  }
  return waiting == registered;
}

/// Returns the first fault, or null.
inline const char* wrong(const kernel_state& m) {
  if (!m.running || !m.running->is(state::ready)) return "the running task is not ready";
  if (m.ready.from(m.running->priority) > 1) return "a ready task is more urgent than the running one";
  if (!are_ready_bits_right(m)) return "a ready bit differs from its ring";
  if (!are_timeouts_right(m)) return "the timeouts are not those who wait with one";
  if (!are_waiters_right(m)) return "an event's waiter does not wait for it";
  for (const tcb* t = m.table; t != end_of(m); ++t) {
    if (const char* text = wrong_task(m, t)) return text;
  }
  return nullptr;
}

}  // namespace walk
