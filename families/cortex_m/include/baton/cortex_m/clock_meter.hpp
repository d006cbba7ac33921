// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {

/// The readings at the start and the end of the last interval, and the length of an empty interval.
template <typename = void>
struct clock_readings {
  static uint32_t start, stop, empty;
};
template <typename Unused>
uint32_t clock_readings<Unused>::start;
template <typename Unused>
uint32_t clock_readings<Unused>::stop;
template <typename Unused>
uint32_t clock_readings<Unused>::empty;

}  // namespace detail

/// Counts the cycles of an interval by the port's clock, as a real board has to.
///
/// Units    cycles, with the resolution of a tick of the clock, a microsecond: right for intervals
///          of milliseconds, such as those of benchmarks. An interval takes up to 35 minutes.
/// Context  as the marks. A program without a clock gets one, with its interrupts.
/// Cost     a reading of the clock each; the part of it inside the interval is subtracted.
struct clock_meter {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = false;
  static constexpr bool counts() { return false; }
  static constexpr const char* unit() { return "cycles"; }
  static constexpr const char* valid() { return "measured"; }

  /// Learns the length of an empty interval: the least of several, because an interrupt may come
  /// between.
  static void settle() {
    readings::empty = ~0u;
    for (uint8_t i = 0; i < 16; ++i) {
      start();
      stop();
      const uint32_t took = readings::stop - readings::start;
      if (took < readings::empty) readings::empty = took;
    }
  }

  static void start() { readings::start = port::now(); }
  static void stop() { readings::stop = port::now(); }

  /// Length of the last interval. The harness prints figures instead of `key=#K` for a meter that
  /// has this function.
  static uint32_t elapsed_cycles() {
    const uint32_t ticks = readings::stop - readings::start;
    return ticks > readings::empty ? (ticks - readings::empty) * cycles_per_tick : 0;
  }
  static constexpr uint64_t elapsed_ns() { return 0; }

 private:
  using readings = detail::clock_readings<>;

  static constexpr uint32_t cycles_per_tick = BATON_CPU_HZ / port::ticks_per_second;
};

}  // namespace board
}  // namespace baton
