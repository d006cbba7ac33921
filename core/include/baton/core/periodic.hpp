// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/capabilities.hpp>

namespace baton {

/// The policy for periods that passed before a periodic wait began.
enum class catch_up : uint8_t {
  all,   ///< each runs at once until the coroutine has caught up: none is left out
  skip,  ///< missed periods are left out and counted; the next run is on the grid, in the future
};

namespace detail {

/// The due times of a periodic coroutine, the same code for any base.
struct period_grid {
  /// The next due time.
  BATON_NOINLINE tick next(tick period, catch_up policy) {
    if (policy == catch_up::all) return last_due += period;
    const tick time = port::now();
    tick late = time - last_due - period;  // negative, seen as signed: the due time is in the future
    for (; static_cast<tick_difference>(late) >= 0; late -= period) {
      if (++missed == 0) --missed;
    }
    return last_due = time - late;
  }

  tick last_due = 0;
  uint16_t missed = 0;
};

}  // namespace detail

/// Runs on a grid of due times, without drift, on top of any base that can delay. 6 bytes on AVR.
///
/// Units    periods are counted from BATON_PERIOD_START(); one period is at most `longest_delay`.
/// Context  the waits are delays: a cancel ends a wait early, and the next wait goes on from the
///          grid.
/// Errors   `missed()` saturates at 65535.
template <typename Base = timed>
struct periodic : Base {
  constexpr explicit periodic(job::function run) : Base(run) {}

  /// The number of periods that `catch_up::skip` has left out.
  uint16_t missed() const { return grid_.missed; }

 protected:
  /// For BATON_PERIOD_START.
  void start_period_() { grid_.last_due = port::now(); }

  /// For BATON_PERIOD.
  void sleep_period_(duration period, catch_up policy) { this->sleep_until_(grid_.next(period.ticks(), policy)); }

  /// For BATON_PERIOD_MS and its forms.
  template <uint32_t PerSecond>
  void period_(uint32_t count, catch_up policy) {
    this->sleep_until_(grid_.next(detail::ticks_of<PerSecond>(count), policy));
  }

 private:
  detail::period_grid grid_;
};

}  // namespace baton
