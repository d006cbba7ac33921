// SPDX-License-Identifier: MIT
#pragma once

#include "machine.hpp"

namespace hostile {

/// A sum of what never changes in the kernel's state while the same tasks live.
///
/// Context  the supervisor, with interrupts masked, reads the kernel's state between two calls.
class state_of_kernel {
 public:
  static state_of_kernel read(const kernel::kernel_state& m) {
    const baton::port::critical masked;
    state_of_kernel s;
    s.add(m.table);
    s.add(m.waiters);
    s.add(m.slots, m.priority_levels, m.interrupt_events);
    s.add(m.coroutine_server);
    s.add(m.slices);
    s.add(reinterpret_cast<const void*>(m.on_deadlock));
    s.add(reinterpret_cast<const void*>(m.on_fault));
    for (const kernel::tcb* t = m.table; t != m.table + m.slots; ++t) {
      if (t->is_free() || t->base_priority <= hostile_priority) continue;
      s.add(t->name);
      s.add(t->stack);
      s.add(t->id, t->made.stack_bytes, t->made.parent, t->base_priority, t->is_privileged);
      for (const word w : lasting_of(t->context).words) s.add(w);
    }
    return s;
  }
  bool operator==(const state_of_kernel& other) const { return sum_ == other.sum_; }

 private:
  void add(const void* p) { add(reinterpret_cast<word>(p)); }
  void add(word n) { sum_ = (sum_ ^ n) * 16777619u + (sum_ >> 15); }
  template <typename... More>
  void add(word n, More... more) {
    add(n);
    add(more...);
  }

  uint32_t sum_ = 0;
};

namespace detail {

inline bool is_in_table(const kernel::kernel_state& m, const kernel::tcb* t) {
  const word offset = reinterpret_cast<word>(t) - reinterpret_cast<word>(m.table);
  return offset % sizeof(kernel::tcb) == 0 && offset / sizeof(kernel::tcb) < m.slots;
}

inline bool senders_are_whole(const kernel::kernel_state& m, const kernel::tcb& t) {
  uint8_t n = 0;
  for (const kernel::tcb* s = t.senders; s; s = s->next) {
    if (!is_in_table(m, s) || s->peer != &t || s->state() != kernel::state::send_wait || ++n > m.slots) return false;
  }
  return true;
}

inline bool timeouts_are_whole(const kernel::kernel_state& m) {
  uint8_t listed = 0, timed = 0;
  for (const kernel::tcb* t = m.timed_waits.first(); t; t = t->next_timed) {
    if (!is_in_table(m, t) || !t->is_timed() || ++listed > m.slots) return false;
    if (t->next_timed && static_cast<baton::tick_difference>(t->next_timed->due - t->due) < 0) return false;
  }
  for (const kernel::tcb* t = m.table; t != m.table + m.slots; ++t) timed += t->is_timed();
  return listed == timed;
}

inline bool is_whole(const kernel::kernel_state& m, const kernel::tcb& t, word slot) {
  if ((t.id & 0xff) != slot || (t.token & 0xff) != slot) return false;
  if (t.is_free()) return true;
  if (t.state() > kernel::state::from_wait || t.priority < t.base_priority || t.priority >= m.priority_levels)
    return false;
  const bool has_peer = t.state() == kernel::state::send_wait || t.state() == kernel::state::reply_wait ||
                        t.state() == kernel::state::from_wait;
  return has_peer == (t.peer != nullptr) && (!t.peer || is_in_table(m, t.peer)) && senders_are_whole(m, t);
}

}  // namespace detail

/// Follows the links of the kernel's table.
inline bool links_are_whole(const kernel::kernel_state& m) {
  const baton::port::critical masked;
  for (word i = 0; i < m.slots; ++i) {
    if (!detail::is_whole(m, m.table[i], i)) return false;
  }
  for (uint8_t i = 0; i < m.interrupt_events; ++i) {
    const kernel::tcb* t = m.waiters[i];
    if (t && (!detail::is_in_table(m, t) || t->state() != kernel::state::event_wait)) return false;
  }
  return detail::timeouts_are_whole(m);
}

}  // namespace hostile
