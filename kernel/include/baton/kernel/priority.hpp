// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/kernel_state.hpp>

/// Priority inheritance: a task runs at the priority of the most urgent task that waits for it,
/// through chains of any length.
namespace baton {
namespace kernel {

/// True if `t` has sent to `server`, received or not, or waits for its message alone.
inline bool waits_for(const tcb* t, const tcb* server) {
  return t->peer == server;
}

/// Changes a task's priority, and its place in a queue.
inline void set_priority(kernel_state& m, tcb* t, priority p) {
  if (t->peer) {
    leave_list_of_peer(t);
    t->priority = p;
    enter_list_of_peer(t);
  } else if (t->is(state::ready) && t->next) {
    m.ready.remove(t);
    t->priority = p;
    m.ready.push(t);
  } else {
    t->priority = p;
  }
}

/// Raises `t`, the task that `t` waits for, and so on, to this priority at least.
/// Cost     O(chain); nothing if `t` is as urgent already.
inline void boost_priority(kernel_state& m, tcb* t, priority p) {
  for (walk<1> w; t && t->priority < p; w.step()) {
    set_priority(m, t, p);
    t = t->peer;
  }
}

/// The highest of a task's own priority and those of the tasks that wait for it.
BATON_INLINE priority inherited_priority(const tcb* t) {
  priority most = t->base_priority;
  if (t->senders && t->senders->priority > most) most = t->senders->priority;
  if (t->lenders && t->lenders->priority > most) most = t->lenders->priority;
  return most;
}

/// Sets the priority of `t` to the one that it inherits, then does the same for the task that `t`
/// waits for, and so on, as long as that changes anything.
/// Cost     O(chain)
inline void recompute_priority(kernel_state& m, tcb* t) {
  walk<1> w;
  for (; t && t->priority != t->base_priority; t = t->peer) {
    const priority most = inherited_priority(t);
    if (most == t->priority) return;
    set_priority(m, t, most);
    w.step();
  }
}

/// True if `from` would wait for itself if it waited for `to`.
/// Cost     O(chain)
inline bool would_deadlock(const tcb* from, const tcb* to) {
  walk<10> w;
  for (; to; to = to->peer) {
    if (to == from) return true;
    w.step();
  }
  return false;
}

}  // namespace kernel
}  // namespace baton
