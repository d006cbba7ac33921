// SPDX-License-Identifier: MIT
#pragma once

#include <waits/system.hpp>

namespace baton {
namespace test {
namespace waits {

/// Compares core with the model: each list entry by entry, and each task's wait and variables.
template <typename Kinds>
class comparison {
 public:
  comparison(snapshot<Kinds>& s, uint8_t tasks) : s_(s), m_(s.expected), tasks_(tasks) {}

  /// Tells what differs; null: nothing does.
  const char* difference() {
    if (!same_ready()) return "the ready queue";
    if (!same_timers()) return "the timers";
    if (!same_list(list_of(0), m_.of[0])) return "the waiters of a";
    if (!same_list(list_of(1), m_.of[1])) return "the waiters of b";
    if (!same_list(list_of(the_endpoint), m_.of[the_endpoint])) return "the waiters of e";
    if (!same_store(s_.of().a, m_.of[0]) || !same_store(s_.of().b, m_.of[1])) return "the stored values";
    for (uint8_t t = 0; t < tasks_; ++t) {
      if (const char* what = difference_of_task(t)) return what;
    }
    return domain::consecutive_handoffs() == m_.hand_overs ? nullptr : "the count of hand-overs";
  }

  /// The list of waiters of a primitive.
  wait_list* list_of(uint8_t primitive) {
    if (primitive == 0) return s_.of().a.receive(no_value_).list();
    if (primitive == 1) return s_.of().b.receive(no_value_).list();
    return s_.of().e.call(no_exchange_).list();
  }

 private:
  using actor_type = typename Kinds::actor_type;

  /// True if the job stands for the entry: the task, or a case of its select.
  bool stands_for(const job* j, entry e) const {
    const actor_type& a = s_.task(e.task);
    if (!e.is_case) return j == &a;
    if (j->at != select_case_mark || a.code() != waiter::selecting) return false;
    const spi::select_case& c = *static_cast<const spi::select_case*>(j);
    return c.record->owner == &a && c.record->cases + e.of_case == &c;
  }

  template <uint8_t Most>
  bool same_ring(const job* tail, const row<entry, Most>& expected) const {
    const job* last = tail;
    for (uint8_t i = 0; i < expected.size; ++i) {
      last = last->next;
      if (!last || !stands_for(last, expected.at[i])) return false;
    }
    return last == tail;
  }

  bool same_ready() const {
    const job* tail = domain::tail();
    if (m_.ready.size == 0 || !tail) return m_.ready.size == 0 && !tail;
    return same_ring(tail, m_.ready);
  }

  bool same_timers() const { return same_timers(typename Kinds::deadlines()); }
  bool same_timers(has_deadlines) const {
    const job* next = timers::first();
    for (uint8_t i = 0; i < m_.timers.size; ++i, next = next->next) {
      const actor_type& a = s_.task(m_.timers.at[i].task);
      if (next != &a.timer || a.timer.at != deadline_part::armed) return false;
      const tick left = a.due - port::now();
      if (static_cast<tick_difference>(left) > 0 ? left != m_.timers.at[i].left : m_.timers.at[i].left != 0)
        return false;
    }
    return !next;
  }
  bool same_timers(no_deadlines) const { return !timers::first(); }

  bool same_list(const wait_list* list, const primitive_model& p) const {
    constexpr uint8_t kinds[] = {wait_list::nobody, wait_list::receivers, wait_list::senders,
                                 wait_list::closed_for_ever};
    if ((list->kind & wait_list::closed_for_ever) != kinds[static_cast<uint8_t>(p.side)]) return false;
    if (p.queue.size == 0) return list->kind == kinds[static_cast<uint8_t>(p.side)];
    if (!same_ring(list->tail, p.queue)) return false;
    const job* j = list->tail;
    for (uint8_t i = 0; i < p.queue.size; ++i) {
      j = j->next;
      if (static_cast<const waiter*>(j)->on != reinterpret_cast<uintptr_t>(list)) return false;
      if (p.queue.at[i].is_case && !(list->kind & wait_list::watched)) return false;
    }
    return true;
  }

  /// The store is a private base of its channel, and a copy of it can be emptied.
  template <uint16_t Capacity>
  static bool same_store(const channel<uint8_t, Capacity>& c, const primitive_model& p) {
    using store = spi::channel_store<uint8_t, Capacity>;
    store copy;
    // The base is private. NOLINTNEXTLINE(google-readability-casting)
    memcpy(static_cast<void*>(&copy), static_cast<const void*>(&(const store&)c), sizeof copy);
    uint8_t value = 0;
    for (uint8_t i = 0; i < p.stored.size; ++i) {
      if (!copy.take(value) || value != p.stored.at[i]) return false;
    }
    return copy.is_empty();
  }

  const char* difference_of_task(uint8_t t) const {
    const actor_type& a = s_.task(t);
    const task_model& m = m_.tasks[t];
    if (a.is_done() != (m.what == stage::done)) return "whether a task has ended";
    if ((a.body == nullptr) != (m.what == stage::fresh)) return "whether a task has started";
    const bool has_link = m.what == stage::ready || m.what == stage::waiting;
    if (!has_link && m.what != stage::in_service && a.next) return "a task in a list";
    if (m.what == stage::in_service && a.code() != waiter::in_service) return "a client in service";
    if (m.what == stage::sleeping && a.code() != waiter::sleeping) return "a task that sleeps";
    if (is_decided(t)) {
      if (a.result() != m.end) return "how a wait has ended";
      if ((a.on == waiter::delivered) != (m.is_unread != 0)) return "whether a value is unread";
    }
    if (memcmp(a.out, m.out, sizeof a.out) != 0) return "a value that is sent";
    if (memcmp(a.in, m.in, sizeof a.in) != 0) return "a value that was received";
    if (a.x.request != m.asks || a.x.reply != m.answer) return "a request or its reply";
    if (a.current.is_open() != (m.client != none)) return "a server's hold on its client";
    return m.client != none && a.current.request() != m.request ? "a request that is served" : nullptr;
  }

  /// True if the task's wait has ended, and it has not learned how.
  bool is_decided(uint8_t t) const {
    if (!s_.task(t).is_pending() || s_.task(t).code() == waiter::selecting) return false;
    return m_.tasks[t].what == stage::ready || m_.tasks[t].what == stage::out;
  }

  snapshot<Kinds>& s_;
  const model& m_;
  uint8_t tasks_;
  uint8_t no_value_ = 0;
  exchange_type no_exchange_;
};

}  // namespace waits
}  // namespace test
}  // namespace baton
