// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/deadline.hpp>
#include <baton/core/spi/select_case.hpp>

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

/// A select as one operation of the wait protocol: deadlines and macros need no other form for it.
template <typename Coroutine, typename... Operations>
struct BATON_NODISCARD_TYPE select_operation {
  static constexpr bool selectable = false;

  BATON_INLINE bool try_now(waiter& w) {
    use_select();
    if (!operations.try_from(*record, 0)) return false;
    w.end(status::ok);
    return true;
  }

  BATON_INLINE void suspend(waiter& w) {
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

  spi::select_record* record;
  spi::operation_list<Operations...> operations;
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

  bool withdraw_select_() { return this->on == waiter::selecting && record_.withdraw_others(spi::select_record::none); }

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
  BATON_INLINE detail::select_operation<selecting, Operations...> any_of_(Operations... operations) {
    static_assert(sizeof...(Operations) <= Cases, "more operations than the base selecting<Cases> has room for");
    record_.cases = cases_;
    return {&record_, spi::list_of(operations...)};
  }

 private:
  /// If a case was taken and is in the ready queue, puts this coroutine with the case's result in
  /// its place.
  void take_place_() {
    if (this->on != waiter::selecting) return;
    spi::select_case& c = cases_[record_.won];
    this->on = c.on;
    ready::replace(&c, this);
  }

  spi::select_record record_;
  spi::select_case cases_[Cases];
};

}  // namespace baton
