// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_case.hpp>

#if __has_include(<mutex>)

/// A select of which some cases are decided by other threads.
namespace baton::BATON_VARIANT::async {
namespace detail {

/// A select operation, as `select_operation`, with cases that other threads decide.
template <typename... Operations>
struct [[nodiscard]] cross_loop_select_operation : cross_loop_select_record {
  static_assert(sizeof...(Operations) < 128, "a select has up to 127 cases");
  static constexpr bool selectable = false;
  static constexpr bool may_throw = (detail::may_throw<Operations> || ...);
  static constexpr bool takes = (detail::takes<Operations> || ...);

  explicit cross_loop_select_operation(const Operations&... o) noexcept : cases_(o...) {}
  cross_loop_select_operation(const cross_loop_select_operation& other) noexcept
      : cross_loop_select_record(), cases_(other.cases_) {}

  bool try_now(waiter& w) noexcept(!may_throw) {
    use_select();
    return cases_.any([&](auto& c, uint8_t n) noexcept(!may_throw) { return c.try_now(w) && has_won(n); });
  }

  /// Enters the lists of its own loop first, where nothing happens meanwhile; then those that other
  /// threads see.
  void suspend(waiter& w) noexcept(!may_throw) {
    owner = &w;
    withdraw_others = &withdraw_all;
    if (stand_in_own_lists(w)) return;
    while (!stand_in_cross_loop_lists(w)) {
      if (!take(withdrawn)) break;  // another thread was first, and its message is on its way
      withdraw_cross_loop();
      __atomic_store_n(&winner, open, __ATOMIC_RELAXED);
      withdraw_on_throw entered(*this);
      const bool is_over = try_cross_loop(w);
      entered.in = nullptr;
      if (is_over) return withdraw_all(*this, winner);
    }
    w.slot = static_cast<cross_loop_select_record*>(this);
    w.on = waiter::selecting;
    ready::leave(&w);
    w.next = nullptr;
    trace(transition::wait, &w, this);
  }

  static bool withdraw(waiter& w) noexcept {
    if (w.on != waiter::selecting) return false;
    cross_loop_select_record& self = *static_cast<cross_loop_select_record*>(w.slot);
    if (!self.take(withdrawn)) return false;
    self.withdraw_others(self, open);
    return true;
  }

  /// Called when the coroutine is destroyed. A case that happened may be in the ready queue for the
  /// coroutine, or its message may be on its way.
  void abandon(waiter& w) noexcept {
    if (withdraw(w)) return w.end(status::cancelled);
    const bool waits = w.on == waiter::selecting;
    const uint8_t won = decided();
    cases_.any([&]<typename Case>(Case& c, uint8_t n) noexcept {
      if (n != won) return false;
      if (waits || !Case::is_cross_loop) c.settle();
      c.give_back(w.on == waiter::delivered);
      return true;
    });
    if (waits) withdraw_all(*this, won);
    if (w.next) ready::remove(&w);  // the message has just arrived
    w.end(status::cancelled);
  }

  selection outcome(status how) const noexcept { return {winner, how}; }

 private:
  /// Takes the cases out of the lists that they have entered if a copy throws.
  struct withdraw_on_throw {
    explicit withdraw_on_throw(cross_loop_select_operation& o) noexcept : in(&o) {}
    withdraw_on_throw(const withdraw_on_throw&) = delete;
    ~withdraw_on_throw() {
      if (in) withdraw_all(*in, open);
    }
    cross_loop_select_operation* in;
  };

  bool has_won(uint8_t number) noexcept {
    winner = number;
    return true;
  }

  bool stand_in_own_lists(waiter& w) noexcept {
    const bool ended = cases_.any([&]<typename Case>(Case& c, uint8_t n) noexcept {
      if constexpr (!Case::is_cross_loop) {
        if (c.enlist(*this, n)) return false;
        w.on = c.stand.on;
        return has_won(n);
      }
      return false;
    });
    if (ended) withdraw_all(*this, winner);
    return ended;
  }

  /// Enters the cross-loop lists. false: one case has become possible.
  bool stand_in_cross_loop_lists(waiter& w) noexcept {
    return !cases_.any([&]<typename Case>(Case& c, uint8_t n) noexcept {
      if constexpr (Case::is_cross_loop) return !c.enlist(*this, n, w);
      return false;
    });
  }

  void withdraw_cross_loop() noexcept {
    cases_.any([]<typename Case>(Case& c, uint8_t) noexcept {
      if constexpr (Case::is_cross_loop) c.withdraw();
      return false;
    });
  }

  bool try_cross_loop(waiter& w) noexcept(!may_throw) {
    return cases_.any([&]<typename Case>(Case& c, uint8_t n) noexcept(!may_throw) {
      if constexpr (Case::is_cross_loop) return c.operation.try_once(w) && has_won(n);
      return false;
    });
  }

  static void withdraw_all(cross_loop_select_record& r, uint8_t but) noexcept {
    static_cast<cross_loop_select_operation&>(r).cases_.any([but](auto& c, uint8_t n) noexcept {
      if (n != but) c.withdraw();
      return false;
    });
  }

  case_list<Operations...> cases_;
};

}  // namespace detail

/// For co_await: `select` with at least one cross-loop operation among its cases: on a
/// `cross_loop_channel`, the receive of a `cross_loop_endpoint`, or the end of a `loop_thread`. The
/// other cases belong to the loop.
///
///     async::selection s = co_await async::select(orders.receive(o), bell.wait());
///
/// Context  as `select`: exactly one case happens, even if several threads hand over at once. A
///          thread that finds another case chosen serves the next waiter in its list. The coroutine
///          runs from the tail of its own loop's queue. A case on a closed object ends the select
///          with `closed` if nothing else was possible when the select began.
/// Cost     if it waits, a compare-and-swap for each thread that hands over to it, and a lock for
///          each cross-loop case that leaves its list.
/// Errors   a call cannot be a case. BATON_REQUIRE cross_loop_wait_without_loop: a thread without a
///          loop waits. cross_loop_select_waits_for_itself: the select would wait for itself.
template <typename... Operations>
  requires detail::native_cases<Operations...> && (detail::crosses_loops<Operations> || ...)
detail::cross_loop_select_operation<Operations...> select(const Operations&... operations) noexcept {
  return detail::cross_loop_select_operation<Operations...>(operations...);
}

}  // namespace baton::BATON_VARIANT::async
#endif
