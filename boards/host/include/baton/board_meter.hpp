// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>
#include <time.h>

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_TOGGLE_COLLECT
#define CALLGRIND_TOGGLE_COLLECT
#endif

namespace baton {
namespace board {

/// Marks the interval that a benchmark measures.
///
/// Units    nanoseconds of the steady clock. Under `valgrind --tool=callgrind --collect-atstart=no` the same interval is
///          what callgrind counts the instructions of.
/// Context  one thread; intervals do not nest.
/// Cost     two readings of the clock, tens of nanoseconds: measure many operations at once.
struct meter {
  static void start() {
    started() = now();
    CALLGRIND_TOGGLE_COLLECT;
  }
  static void stop() {
    CALLGRIND_TOGGLE_COLLECT;
    stopped() = now();
  }

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
