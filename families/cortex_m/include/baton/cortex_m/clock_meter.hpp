// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {

/// What the last interval began and ended with, and what an empty one takes.
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

/// Counts the cycles of an interval by the port's clock: on a real board nobody else does.
///
/// Units    cycles, known to a tick of the clock, a microsecond: right for intervals of milliseconds, which those of benchmarks are.
///          Up to 35 minutes.
/// Context  as the marks. A program that has no clock otherwise gets one, with its interrupts.
/// Cost     a reading of the clock each, of which the part inside is taken off.
struct clock_meter {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = false;
  static constexpr bool counts() { return false; }
  static constexpr const char* unit() { return "cycles"; }
  static constexpr const char* valid() { return "measured"; }

  /// Learns what an empty interval takes: the least of several, for an interrupt may come between.
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

  /// Length of the last interval. That the meter has it makes the harness print figures instead of `key=#K`.
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
