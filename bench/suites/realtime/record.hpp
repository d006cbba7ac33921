// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/measure.hpp>
#include <baton/bench/record.hpp>

#include "result.hpp"

// The record of a case of the suite realtime.

namespace suite_realtime {

inline void say(const char* key, uint64_t n) {
  baton::bench::detail::say(key);
  baton::bench::print_number<baton::bench::detail::out>(n);
}

/// Prints `hist=END:COUNT,...`: the bins that are not empty, each by the longest latency that it
/// counts.
inline void say_histogram(const service::latency_histogram& a) {
  const char* before = " hist=";
  for (size_t b = 0; b != a.bins; ++b) {
    if (a.in_bin(b) == 0) continue;
    say(before, a.end_of(b));
    say(":", a.in_bin(b));
    before = ",";
  }
}

/// Prints a result, and notes if it is wrong.
inline void print_record(const char* name, demand d, const std::string& throttle, const result& r) {
  if (!r.is_right()) baton::bench::detail::verdict::failed() = true;
  if (r.latencies.count() == 0) return;
  const service::latency_histogram& a = r.latencies;
  const std::string words = "deadline=" + std::to_string(a.deadline()) + " scheduling=" + name_of(d) +
                            " throttle=" + throttle + " granted=" + r.system.granted + " refused=" + r.system.refused;
  const baton::bench::row row{BATON_TEXT("realtime"), name, words.c_str(), static_cast<uint32_t>(a.count())};
  baton::bench::detail::begin_record(row, "ns");
  say(" value=", a.permille(500));
  say(" min=", a.least());
  say(" p50=", a.permille(500));
  say(" p99=", a.permille(990));
  say(" p999=", a.permille(999));
  say(" max=", a.most());
  say(" mean=", r.sum_ns / a.count());
  say(" missed=", a.missed());
  say(" handled=", r.handled);
  say(" pushed=", r.pushed);
  say_histogram(a);
  baton::bench::detail::end_record(row, "measured");
}

}  // namespace suite_realtime
