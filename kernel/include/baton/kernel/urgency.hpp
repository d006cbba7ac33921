// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/machine.hpp>

/// Priority inheritance: a task runs at the urgency of the most urgent task that waits for it, through chains of any length.
namespace baton {
namespace kernel {

/// Whether `t` has sent to `server`, received or not.
inline bool waits_for(const task* t, const task* server) {
  return t->peer == server;
}

/// Changes how urgent a task is, and where it stands in a queue.
inline void set_urgency(machine& m, task* t, priority p) {
  if (t->what() == state::send_wait) {
    senders::remove(t->peer, t);
    t->urgency = p;
    senders::insert(t->peer, t);
  } else if (t->is(state::ready) && t->next) {
    m.ready.remove(t);
    t->urgency = p;
    m.ready.push(t);
  } else {
    t->urgency = p;
  }
}

/// `t`, and whom it waits for, and so on, is at least this urgent.
/// Cost     O(chain); nothing where it is so already.
inline void raise(machine& m, task* t, priority p) {
  while (t && t->urgency < p) {
    set_urgency(m, t, p);
    t = t->peer;
  }
}

/// `t` has what is its own and what it inherits from those who wait for it now, no more; then whom it waits for, and so on, as long as that
/// changes anything.
/// Cost     O(chain x places)
inline void settle(machine& m, task* t) {
  for (; t && t->urgency != t->own; t = t->peer) {
    priority most = t->own;
    for (task* other = m.table; other != m.table + m.places; ++other) {
      if (waits_for(other, t) && other->urgency > most) most = other->urgency;
    }
    if (most == t->urgency) return;
    set_urgency(m, t, most);
  }
}

/// Whether `from` would wait for itself if it waited for `to`.
/// Cost     O(chain)
inline bool closes_a_circle(const task* from, const task* to) {
  for (; to; to = to->peer) {
    if (to == from) return true;
  }
  return false;
}

}  // namespace kernel
}  // namespace baton
