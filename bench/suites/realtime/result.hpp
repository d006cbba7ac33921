// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>
#include <time.h>

#include <baton/service/latency_histogram.hpp>

#include "demand.hpp"

namespace suite_realtime {

static_assert(baton::port::ticks_per_second == 1000000000, "a tick of the account is a nanosecond of the record");

/// The number of events of a case, its longest duration, and the deadline of an event.
struct extent {
  uint32_t events;
  uint64_t limit_ns;
  uint64_t deadline_ns;
};

/// The result of a case.
struct result {
  explicit result(uint64_t deadline_ns) : latencies(baton::ticks(deadline_ns)) {}
  void note(uint64_t took_ns) {
    latencies.note(took_ns);
    sum_ns += took_ns;
  }
  bool is_right() const { return has_run_well && pushed != 0 && handled == pushed && latencies.count() != 0; }

  service::latency_histogram latencies;
  uint64_t sum_ns = 0;
  uint64_t pushed = 0;
  uint64_t handled = 0;
  bool has_run_well = false;
  grant system;
};

inline uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

inline void sleep_until_ns(uint64_t due) {
  const timespec t{static_cast<time_t>(due / 1000000000u), static_cast<long>(due % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) != 0) {
  }
}

/// The last event of a case.
struct over {};

}  // namespace suite_realtime
