// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/kernel_state.hpp>

/// Priority inheritance: a task runs at the priority of the most urgent task that waits for it, through chains of any length.
namespace baton {
namespace kernel {

/// Whether `t` has sent to `server`, received or not.
inline bool waits_for(const tcb* t, const tcb* server) {
  return t->peer == server;
}

/// Changes how urgent a task is, and where it stands in a queue.
inline void set_priority(kernel_state& m, tcb* t, priority p) {
  if (t->state() == state::send_wait) {
    senders::remove(t->peer, t);
    t->priority = p;
    senders::insert(t->peer, t);
  } else if (t->is(state::ready) && t->next) {
    m.ready.remove(t);
    t->priority = p;
    m.ready.push(t);
  } else {
    t->priority = p;
  }
}

/// `t`, and whom it waits for, and so on, is at least this urgent.
/// Cost     O(chain); nothing where it is so already.
inline void boost_priority(kernel_state& m, tcb* t, priority p) {
  while (t && t->priority < p) {
    set_priority(m, t, p);
    t = t->peer;
  }
}

/// `t` has what is its own and what it inherits from those who wait for it now, no more; then whom it waits for, and so on, as long as that
/// changes anything.
/// Cost     O(chain x slots)
inline void recompute_priority(kernel_state& m, tcb* t) {
  for (; t && t->priority != t->base_priority; t = t->peer) {
    priority most = t->base_priority;
    for (tcb* other = m.table; other != m.table + m.slots; ++other) {
      if (waits_for(other, t) && other->priority > most) most = other->priority;
    }
    if (most == t->priority) return;
    set_priority(m, t, most);
  }
}

/// Whether `from` would wait for itself if it waited for `to`.
/// Cost     O(chain)
inline bool would_deadlock(const tcb* from, const tcb* to) {
  for (; to; to = to->peer) {
    if (to == from) return true;
  }
  return false;
}

}  // namespace kernel
}  // namespace baton
