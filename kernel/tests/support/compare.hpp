// SPDX-License-Identifier: MIT
#pragma once

#include <reference.hpp>

#include <baton/kernel/dispatch.hpp>

namespace baton {
namespace test {

/// A kernel's state with all its memory, for tests that make its calls themselves and run no task.
template <uint8_t Most, uint8_t PriorityLevels, uint8_t InterruptEvents>
struct bare_kernel_of : kernel::kernel_state {
  static constexpr uint8_t most = Most;
  static constexpr uint8_t priority_level_count = PriorityLevels;
  static constexpr uint8_t interrupt_event_count = InterruptEvents;

  explicit bare_kernel_of(uint8_t slot_count = Most)
      : kernel_state(tasks, slot_count, tails, PriorityLevels, waiting, InterruptEvents) {
    number_slots();
  }

  kernel::tcb tasks[Most];
  kernel::tcb* tails[PriorityLevels] = {};
  kernel::tcb* waiting[InterruptEvents] = {};
};

using bare_kernel = bare_kernel_of<10, 5, 4>;

/// Looks for a difference between a kernel's state and the reference, and for an invariant that
/// does not hold. Returns the first one, null if there is none.
class comparison {
 public:
  template <typename Kernel>
  comparison(const Kernel& state, const reference& expected) : m_(state), tails_(state.tails), r_(expected) {}

  const char* difference() const {
    if (slot_of(m_.running) != r_.running) return "who runs";
    if (m_.raised_interrupt_events != r_.raised) return "the raised events";
    if (m_.consecutive_handoffs != r_.consecutive_handoffs) return "the hand-overs running";
    for (int t = 0; t < r_.size(); ++t) {
      if (const char* what = difference_of(t)) return what;
    }
    if (const char* what = difference_of_ready()) return what;
    if (const char* what = difference_of_timed()) return what;
    for (int e = 0; e < m_.interrupt_events; ++e) {
      if (slot_of(m_.waiters[e]) != r_.waiter_of(e)) return "who awaits an event";
    }
    return nullptr;
  }

 private:
  int slot_of(const kernel::tcb* t) const { return t ? static_cast<int>(t - m_.table) : reference::nobody; }

  const char* difference_of(int slot) const {
    const kernel::tcb& t = m_.table[slot];
    const reference::slot& s = r_.at(slot);
    if (t.id != s.id) return "an id";
    if (t.token != s.token) return "a token";
    if (t.state() != s.what) return "a state";
    if (t.is_free()) return t.next || t.senders || t.lenders || t.peer ? "a free slot in a queue" : nullptr;
    if (t.base_priority != s.base_priority || t.priority != s.priority) return "a priority";
    if (slot_of(t.peer) != s.on) return "whom a task waits for";
    if (t.is_timed() != s.is_timed || (s.is_timed && t.due != static_cast<tick>(s.due + r_.base))) return "a timeout";
    if (t.is_lending() != s.lends) return "who lends memory";
    if (t.notifications != s.notifications || t.notification_mask != s.notification_mask) return "notification bits";
    const kernel::tid parent = t.made.parent ? m_.table[t.made.parent - 1].id : kernel::no_task;
    if (parent != s.parent || t.is_privileged != s.is_privileged) return "a parent, or privileges";
    const bool is_waiting = s.what != kernel::state::ready;
    const bool is_client = s.what == kernel::state::send_wait || lends(s);
    if (is_waiting && !is_client && t.next) return "a waiting task in a queue";
    if (is_waiting && !t.call) return "a waiting task's call";
    if (const char* what = difference_of_lenders(t, slot)) return what;
    return difference_of_senders(t, slot);
  }

  /// Waits for one task, in no queue of senders.
  static bool lends(const reference::slot& s) {
    return s.what == kernel::state::reply_wait || s.what == kernel::state::from_wait;
  }

  bool is_lender(int client, int receiver) const {
    const reference::slot& s = r_.at(client);
    return lends(s) && s.on == receiver && s.priority > r_.at(receiver).base_priority;
  }

  const char* difference_of_lenders(const kernel::tcb& receiver, int slot) const {
    int expected = 0;
    for (int t = 0; t < r_.size(); ++t) {
      expected += is_lender(t, slot);
      if (m_.table[t].peer == &receiver && lends(r_.at(t)) && !is_lender(t, slot) && m_.table[t].next) {
        return "a client that lends nothing in a queue";
      }
    }
    for (const kernel::tcb* t = receiver.lenders; t; t = t->next) {
      if (!is_lender(slot_of(t), slot)) return "who lends";
      if (t->next && t->next->priority > t->priority) return "the order of lenders";
      if (expected-- == 0) return "too many lenders";
    }
    return expected != 0 ? "a lender in no queue" : nullptr;
  }

  const char* difference_of_senders(const kernel::tcb& receiver, int slot) const {
    int expected = 0;
    for (int t = 0; t < r_.size(); ++t) expected += r_.at(t).what == kernel::state::send_wait && r_.at(t).on == slot;
    int before = reference::nobody;
    for (const kernel::tcb* t = receiver.senders; t; t = t->next) {
      const int now = slot_of(t);
      if (r_.at(now).what != kernel::state::send_wait || r_.at(now).on != slot) return "who is in a queue of senders";
      if (before != reference::nobody && !r_.is_before(before, now)) return "the order of senders";
      before = now;
      if (expected-- == 0) return "too many senders in a queue";
    }
    return expected != 0 ? "a sender in no queue" : nullptr;
  }

  const char* difference_of_ready() const {
    int expected = 0;
    for (int t = 0; t < r_.size(); ++t) expected += r_.at(t).is_queued;
    for (int u = 0; u < m_.priority_levels; ++u) {
      const kernel::tcb* tail = tails_[u];
      const bool is_marked = (m_.ready.from(0) >> u & 1) != 0;
      if (is_marked != (tail != nullptr)) return "the bits of the ready queue";
      if (!tail) continue;
      int before = reference::nobody;
      const kernel::tcb* t = tail;
      do {
        t = t->next;
        if (!t || expected-- == 0) return "a ring of ready tasks";
        const int now = slot_of(t);
        if (!r_.at(now).is_queued || r_.at(now).priority != u) return "who is ready";
        if (before != reference::nobody && !r_.is_before(before, now)) return "the order of ready tasks";
        before = now;
      } while (t != tail);
    }
    if (expected != 0) return "a ready task in no ring";
    return r_.running != reference::nobody && m_.ready.from(m_.running->priority) > 1 ? "somebody more urgent waits"
                                                                                      : nullptr;
  }

  const char* difference_of_timed() const {
    int expected = 0;
    for (int t = 0; t < r_.size(); ++t) expected += r_.at(t).is_timed;
    int before = reference::nobody;
    for (const kernel::tcb* t = m_.timed_waits.first(); t; t = t->next_timed) {
      const int now = slot_of(t);
      if (expected-- == 0 || !r_.at(now).is_timed) return "who has a timeout";
      if (before != reference::nobody && !r_.is_timed_before(before, now)) return "the order of timeouts";
      before = now;
    }
    return expected != 0 ? "a timeout in no queue" : nullptr;
  }

  const kernel::kernel_state& m_;
  kernel::tcb* const* tails_;
  const reference& r_;
};

}  // namespace test
}  // namespace baton
