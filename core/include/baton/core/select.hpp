// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/deadline.hpp>

namespace baton {

namespace ready {

/// Puts `by` in the place of `old`, which is in the ring.
/// Cost     O(jobs ready).
inline void replace(job* old, job* by) {
  job* before = domain::tail();
  while (before->next != old) before = before->next;
  before->next = by;
  by->next = old->next;  // itself, if `old` was alone
  if (domain::tail() == old) domain::tail() = by;
  old->next = nullptr;
}

}  // namespace ready

namespace detail {

struct select_record;

/// Waits in one list for a coroutine that waits in several.
struct select_case : waiter {
  constexpr select_case() : waiter(&run, select_case_mark) {}

  /// The body of a case. Claimed (`why` is `select_case_claim`): the operation happens, so the
  /// siblings leave their lists at once, and nothing can happen to two cases. Run: the case was put
  /// in the ready queue with the result, and the coroutine takes its place.
  static inline point run(job* j, point why);

  select_record* record = nullptr;
};

/// The data that the cases of one select share.
struct select_record {
  waiter* owner = nullptr;
  select_case* cases = nullptr;
  uint8_t count = 0;
  uint8_t won = 0;

  static constexpr uint8_t none = 0xff;

  /// Takes every case but that of index `but` out of its list. false: none was in a list.
  bool withdraw_others(uint8_t but) {
    bool any = false;
    for (uint8_t i = 0; i < count; ++i) {
      select_case& c = cases[i];
      if (i == but || !c.is_listed()) continue;
      c.list()->remove(&c);
      c.end(status::cancelled);
      any = true;
    }
    return any;
  }
};

inline point select_case::run(job* j, point why) {
  select_case* self = static_cast<select_case*>(static_cast<waiter*>(j));
  select_record& record = *self->record;
  if (why == select_case_claim) {
    record.won = static_cast<uint8_t>(self - record.cases);
    record.withdraw_others(record.won);
    return suspended;
  }
  record.owner->on = self->on;
  ready::push_next(record.owner);
  ready::leave(self);
  self->next = nullptr;
  return suspended;
}

/// The operations of a select, in order.
template <typename... Operations>
struct operation_list {
  bool try_from(select_record&, uint8_t) { return false; }
  void suspend_from(select_record&, uint8_t) {}
};

template <typename First, typename... Rest>
struct operation_list<First, Rest...> {
  static_assert(First::selectable,
                "a call cannot be a case of a select: once a server has it, it cannot be taken back");

  bool try_from(select_record& record, uint8_t i) {
    select_case& c = record.cases[i];
    if (!first.try_now(c)) return rest.try_from(record, static_cast<uint8_t>(i + 1));
    record.won = i;
    return true;
  }

  void suspend_from(select_record& record, uint8_t i) {
    select_case& c = record.cases[i];
    c.record = &record;
    first.who |= wait_list::watched;
    first.suspend(c);
    if (!c.is_listed()) {  // closed
      record.won = i;
      record.withdraw_others(i);
      record.owner->on = c.on;
      return;
    }
    // A select with receivers and senders in one list would wait for itself.
    BATON_REQUIRE(select_waits_for_itself, (c.list()->kind & wait_list::closed_for_ever) != wait_list::closed_for_ever);
    record.count = static_cast<uint8_t>(i + 1);
    rest.suspend_from(record, static_cast<uint8_t>(i + 1));
  }

  First first;
  operation_list<Rest...> rest;
};

inline operation_list<> list_of() {
  return {};
}
template <typename First, typename... Rest>
operation_list<First, Rest...> list_of(First first, Rest... rest) {
  return {first, list_of(rest...)};
}

/// A select as one operation of the wait protocol: deadlines and macros need no other form for it.
template <typename Coroutine, typename... Operations>
struct select_operation {
  static constexpr bool selectable = false;

  bool try_now(waiter& w) {
    select_is_used() = true;
    domain::has_strays() = true;
    if (!operations.try_from(*record, 0)) return false;
    w.end(status::ok);
    return true;
  }

  void suspend(waiter& w) {
    record->owner = &w;
    record->count = 0;
    w.on = waiter::selecting;
    operations.suspend_from(*record, 0);
    if (w.on != waiter::selecting) {
      if (!w.next) ready::push(&w);  // resumed directly
      return;
    }
    ready::leave(&w);
    w.next = nullptr;
    trace(transition::wait, &w, record);
  }

  static bool withdraw(waiter& w) { return static_cast<Coroutine&>(w).withdraw_select_(); }

  select_record* record;
  operation_list<Operations...> operations;
};

}  // namespace detail

/// Adds a wait for the first of up to `Cases` operations to `waiting`, `timed_waiting` or
/// `deadline`.
///
/// Shape    on AVR 6 bytes, and 11 for each case.
/// Context  `BATON_SELECT(a.receive(x_), b.wait())` tries the operations in order. If none can be
///          done at once, the coroutine waits for all, and exactly one happens. `selected()` says
///          which one, `result()` how it ended. A case on a closed primitive ends the select with
///          `closed`. A cancel or a deadline withdraws all cases: none has happened.
/// Cost     as that many waits; a case that is taken withdraws its siblings, O(waiters in their
///          lists).
template <uint8_t Cases, typename Base = waiting>
struct selecting : Base {
  constexpr explicit selecting(job::function run) : Base(run) {}

  /// The index of the operation that ended the last select.
  uint8_t selected() const { return record_.won; }

  bool withdraw_select_() {
    return this->on == waiter::selecting && record_.withdraw_others(detail::select_record::none);
  }

 protected:
  bool withdraw_() {
    bool waits = withdraw_select_();
    if (!waits) take_place_();
    return Base::withdraw_() || waits;
  }

  void leave_() {
    if (!withdraw_select_()) take_place_();
    Base::leave_();
  }

  bool engaged_() const { return this->on == waiter::selecting || Base::engaged_(); }

  /// For BATON_SELECT.
  template <typename... Operations>
  detail::select_operation<selecting, Operations...> any_of_(Operations... operations) {
    static_assert(sizeof...(Operations) <= Cases, "more operations than the base selecting<Cases> has room for");
    record_.cases = cases_;
    return {&record_, detail::list_of(operations...)};
  }

 private:
  /// If a case was taken and is in the ready queue, puts this coroutine with the case's result in
  /// its place.
  void take_place_() {
    if (this->on != waiter::selecting) return;
    detail::select_case& c = cases_[record_.won];
    this->on = c.on;
    ready::replace(&c, this);
  }

  detail::select_record record_;
  detail::select_case cases_[Cases];
};

}  // namespace baton
