// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/counter_meter.hpp>
#include <baton/port.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The port's clock as a counter, on a Cortex-M0 that has no counter of cycles.
struct clock_counter {
  static constexpr uint32_t cycles = BATON_CPU_HZ / port::ticks_per_second;
  static void start() {}
  static uint32_t read() { return port::now(); }
};

/// A meter with the resolution of a tick, a microsecond: right for intervals of milliseconds, such
/// as those of benchmarks. An interval takes up to 35 minutes. A program without a clock gets one,
/// with its interrupts.
struct clock_meter : counter_meter<clock_counter> {};

}  // namespace board
}  // namespace baton
