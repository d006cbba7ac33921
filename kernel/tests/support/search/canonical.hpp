// SPDX-License-Identifier: MIT
#pragma once

#include <search/reports.hpp>

namespace baton {
namespace test {
namespace search {

/// The canonical form of a state: two states with the same form behave alike from there on.
///
/// Ids lose their generations and tokens their numbers, because the alphabet names both relative to
/// the present ones of a slot. Times count from the clock's, and a past one is as good as the
/// present one. The request of an ended call is left out. A new member of a task or of the kernel
/// that changes the effect of a call has to be added here; `search` looks for states that the form
/// confuses.
class canonical {
 public:
  explicit canonical(const snapshot& s) : m_(s.state()), s_(s) {
    for (uint8_t t = 0; t < m_.slots; ++t) put_task(t);
    for (const kernel::tcb* tail : m_.tails) put_slot(tail);
    for (const kernel::tcb* waiter : m_.waiting) put_slot(waiter);
    put_slot(m_.running);
    put_slot(m_.timed_waits.first());
    put(m_.consecutive_handoffs);
    put(m_.raised_interrupt_events);
    put(m_.has_notifications);
    put(s.clock.attention);
    put(s.clock.interrupts ? 1 + s.alarm.at - s.clock.now : 0);
    if (m_.slices) put_slices();
    if (s.expected.reports != 0) put_reports();
  }

  /// A hash of the form. Never 0.
  uint64_t key() const {
    uint64_t hash = bytes_;
    for (size_t i = 0; i < (bytes_ + 7) / 8; ++i) {
      hash = (hash ^ words_[i]) * 0x9e3779b97f4a7c15u;
      hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
      hash ^= hash >> 29;
    }
    return hash == 0 ? 1 : hash;
  }

 private:
  static constexpr size_t most_words = 24;

  void put(uint64_t value) {
    if (value > 0xff || bytes_ == most_words * 8) abort();  // the bounds are too large for this form
    words_[bytes_ / 8] |= value << bytes_ % 8 * 8;
    ++bytes_;
  }

  void put_slot(const kernel::tcb* t) { put(t ? static_cast<uint64_t>(t - m_.tasks) + 1 : 0); }

  uint64_t from_now(tick due) const {
    const tick left = due - s_.clock.now;
    return static_cast<tick_difference>(left) > 0 ? left : 0;
  }

  void put_task(uint8_t slot) {
    const kernel::tcb& t = m_.tasks[slot];
    put(t.state_bits);
    put(static_cast<uint64_t>(t.priority) << 4 | static_cast<uint64_t>(t.base_priority) << 1 | t.is_privileged);
    put(index_of_bits(t.notifications));
    put(index_of_bits(t.notification_mask));
    // The next task of a free slot must not see these. If the form left them out, the states that
    // differ in them would never be expanded, and a kernel that does not clear them would pass.
    if (t.is_free()) return;
    put_slot(t.next);
    put_slot(t.peer);
    put_slot(t.senders);
    put_slot(t.lenders);
    put(static_cast<uint64_t>(t.made.parent) << 1 | (s_.guards[slot] == kernel::detail::untouched));
    if (t.is_timed()) {
      put_slot(t.next_timed);
      put(from_now(t.due));
    }
    put_wait(t);
  }

  /// The part of a waiting task's request that the kernel will read.
  void put_wait(const kernel::tcb& t) {
    if (t.is_lending()) put(static_cast<uint64_t>(s_.leases[&t - m_.tasks].pieces[0].access));
    switch (t.state()) {
      case kernel::state::send_wait:
        put(t.call->out_length);
        put(t.call->in_length);
        break;
      case kernel::state::reply_wait:
      case kernel::state::receive_wait:
      case kernel::state::from_wait:
        put(t.call->in_length);
        break;
      case kernel::state::event_wait:
      case kernel::state::notify_wait:
        put(index_of_bits(t.call->first));
        break;
      default:
        break;
    }
  }

  /// A report tells of a former task. The exact number of those that were lost changes no more than
  /// what the next report says.
  void put_reports() {
    put(s_.expected.lost > 2 ? 2 : static_cast<uint64_t>(s_.expected.lost));
    put_slot(m_.find(s_.expected.of_orphans));
    for (const kernel::detail::kept_report* kept : reports_in_order(s_)) {
      put(kept->report.id & 0xff);
      put_slot(m_.find(kept->to));
      put(static_cast<uint64_t>(kept->report.how) << 4 | static_cast<uint64_t>(kept->report.why));
    }
  }

  void put_slices() {
    put_slot(m_.find(m_.slices->owner));
    put(from_now(m_.slices->end));
  }

  const small_kernel& m_;
  const snapshot& s_;
  uint64_t words_[most_words] = {};
  size_t bytes_ = 0;
};

}  // namespace search
}  // namespace test
}  // namespace baton
