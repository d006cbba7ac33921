// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/require.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {

/// The readings at the start and the end of the last interval, and the length of an empty interval.
template <typename = void>
struct counter_readings {
  static uint32_t start, stop, empty;
};
template <typename Unused>
uint32_t counter_readings<Unused>::start;
template <typename Unused>
uint32_t counter_readings<Unused>::stop;
template <typename Unused>
uint32_t counter_readings<Unused>::empty;

}  // namespace detail

/// Counts the cycles of an interval with a counter of the chip, as a real board has to.
///
/// Shape    `Counter` has `start()`, `read()`, which wraps at 2^32, and `cycles`, the cycles that
///          one count takes.
/// Units    cycles, with the resolution of a count. An empty interval is 0.
/// Context  anywhere; intervals do not nest.
/// Cost     a reading each; the part of it inside the interval is subtracted.
/// Errors   cycle_counter_stopped: the counter stands still, so there would be no figure.
template <typename Counter>
struct counter_meter {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = false;
  static constexpr bool counts() { return false; }
  static constexpr const char* unit() { return "cycles"; }
  static constexpr const char* valid() { return "measured"; }

  /// Learns the length of an empty interval: the least of several, because an interrupt may come
  /// between.
  static void settle() {
    Counter::start();
    readings::empty = ~0u;
    const uint32_t before = Counter::read();
    for (uint8_t i = 0; i < 16; ++i) {
      start();
      stop();
      const uint32_t took = readings::stop - readings::start;
      if (took < readings::empty) readings::empty = took;
    }
    BATON_REQUIRE(cycle_counter_stopped, readings::stop != before);
  }

  static void start() { readings::start = Counter::read(); }
  static void stop() { readings::stop = Counter::read(); }

  /// Length of the last interval. The harness prints figures instead of `key=#K` for a meter that
  /// has this function.
  static uint32_t elapsed_cycles() {
    const uint32_t counts = readings::stop - readings::start;
    return counts > readings::empty ? (counts - readings::empty) * Counter::cycles : 0;
  }
  static constexpr uint64_t elapsed_ns() { return 0; }

 private:
  using readings = detail::counter_readings<>;
};

}  // namespace board
}  // namespace baton
