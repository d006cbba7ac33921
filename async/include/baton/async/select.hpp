// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/await.hpp>

namespace baton::BATON_VARIANT::async {

/// The operation that ended a select, and its status. If the select was cancelled or timed out,
/// `index` has no meaning.
struct selection {
  uint8_t index;
  baton::status status;

  explicit operator bool() const noexcept { return status == baton::status::ok; }
};

namespace detail {

struct cross_loop_tag;

/// True for an operation that a select may withdraw, so that it needs no coroutine of its own.
template <typename T>
constexpr bool is_native_case = false;
template <typename T>
  requires requires(T& o, waiter& w) { o.try_now(w); }
constexpr bool is_native_case<T> = T::selectable || __is_base_of(cross_loop_tag, T);
template <typename... T>
concept native_cases = (is_native_case<T> && ...);

/// Gives back the value that was handed to the case `index`.
template <typename List>
void give_back_case(List&, uint8_t) {}
template <typename First, typename... Rest>
void give_back_case(baton::spi::operation_list<First, Rest...>& l, uint8_t index) {
  if (index == 0) {
    if constexpr (takes<First>) give_back(l.first, 0);
    return;
  }
  give_back_case(l.rest, static_cast<uint8_t>(index - 1));
}

/// Core's select, with the record and the cases in the coroutine's frame.
template <typename... Operations>
struct [[nodiscard]] select_operation {
  static_assert(sizeof...(Operations) >= 1 && sizeof...(Operations) < 128, "a select has up to 127 cases");
  static constexpr bool selectable = false;
  static constexpr bool may_throw = (detail::may_throw<Operations> || ...);
  static constexpr bool takes = (detail::takes<Operations> || ...);

  explicit select_operation(const Operations&... o) noexcept : operations(baton::spi::list_of(o...)) {}
  select_operation(const select_operation& other) noexcept : operations(other.operations) {}

  bool try_now(waiter& w) noexcept(!may_throw) {
    use_select();
    record.cases = cases;
    if (!operations.try_from(record, 0)) return false;
    w.end(status::ok);
    return true;
  }

  void suspend(waiter& w) noexcept {
    record.owner = &w;
    record.count = 0;
    w.slot = &record;
    w.on = waiter::selecting;
    operations.suspend_from(record, 0);
    if (w.on != waiter::selecting) return;  // one was closed
    ready::leave(&w);
    w.next = nullptr;
    trace(transition::wait, &w, &record);
  }

  static bool withdraw(waiter& w) noexcept {
    return w.on == waiter::selecting &&
           static_cast<baton::spi::select_record*>(w.slot)->withdraw_others(baton::spi::select_record::none);
  }

  /// Called when the coroutine is destroyed. A case that was taken may be in the ready queue for
  /// the coroutine.
  void abandon(waiter& w) noexcept {
    withdraw(w);
    baton::spi::select_case& taken = cases[record.won];
    if (taken.next) ready::remove(&taken);
    if (taken.on == waiter::delivered || w.on == waiter::delivered) give_back_case(operations, record.won);
    w.end(status::cancelled);
  }

  selection outcome(status how) const noexcept { return {record.won, how}; }

  baton::spi::select_record record;
  baton::spi::select_case cases[sizeof...(Operations)];
  baton::spi::operation_list<Operations...> operations;
};

}  // namespace detail

/// For co_await: waits for the first of several operations, and exactly one happens.
///
///     async::selection s = co_await async::select(numbers.receive(n), bell.wait());
///     if (s.index == 0 && s) use(n);
///
/// Context  as BATON_SELECT: the operations are tried in the order in which they are written. If
///          none can be done at once, the coroutine waits for all; when one is handed over, the
///          others leave their lists at once. Then the coroutine runs from the tail of the ready
///          queue. A case on a closed primitive ends the select with `closed`. A deadline or a
///          cancel withdraws all cases, and none has happened.
/// Cost     48 bytes of the frame per case on a 64-bit machine. O(waiters) of its list for each
///          case that is withdrawn.
/// Errors   delays, calls and whatever else is no wait of a primitive are cases of the select of
///          select_any.hpp.
template <typename... Operations>
  requires detail::native_cases<Operations...>
detail::select_operation<Operations...> select(const Operations&... operations) noexcept {
  return detail::select_operation<Operations...>(operations...);
}

}  // namespace baton::BATON_VARIANT::async
