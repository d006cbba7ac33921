// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_ZERO_STATS  // valgrind's header is not installed
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

namespace baton {
namespace board {

/// Marks the interval that a benchmark measures.
///
/// Units    nanoseconds of the steady clock. Under `valgrind --tool=callgrind --instr-atstart=no`
///          callgrind counts the instructions of the same interval, and dumps them at its stop: one
///          numbered file per interval.
/// Context  one thread; intervals do not nest.
/// Cost     two readings of the clock, tens of nanoseconds, and some ten instructions: measure many
///          operations at once.
struct meter {
  /// With BATON_CALLGRIND in the environment, the program prints `key=#K` and callgrind's dumps
  /// have the figures.
  static constexpr bool always_counts = false;
  static constexpr bool counts_memory = false;
  static bool counts() {
    static const bool does = getenv("BATON_CALLGRIND") != nullptr;
    return does;
  }
  static const char* unit() { return counts() ? "instructions" : "ns"; }
  static const char* valid() { return counts() ? "instructions" : "measured"; }

  static void settle() {}

  static void start() {
    started() = now();
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
  }
  static void stop() {
    CALLGRIND_DUMP_STATS;
    CALLGRIND_STOP_INSTRUMENTATION;
    stopped() = now();
  }

  /// Leaves the time between pause() and resume() out of the interval; its instructions are
  /// counted.
  static void pause() { stopped() = now(); }
  static void resume() { started() += now() - stopped(); }

  /// Length of the last interval.
  static uint64_t elapsed_ns() { return stopped() - started(); }

 private:
  static uint64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
  }
  static uint64_t& started() {
    static uint64_t ns;
    return ns;
  }
  static uint64_t& stopped() {
    static uint64_t ns;
    return ns;
  }
};

}  // namespace board
}  // namespace baton
