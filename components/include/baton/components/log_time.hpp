// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/core/variant.hpp>
#include <cstdio>
#include <ctime>
#include <string>

namespace baton::BATON_VARIANT::components {

/// Gives the time of a log line as text; empty: the line has none.
using log_clock = std::string (*)();

/// The time of day in UTC, to the millisecond: `2026-11-28T07:15:02.123Z`.
/// Cost     a reading of the system's clock, and a string of 24 characters.
/// Source   RFC 3339
inline std::string utc_time() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::tm day{};
  ::gmtime_r(&now.tv_sec, &day);
  std::array<char, 80> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", day.tm_year + 1900, day.tm_mon + 1,
                    day.tm_mday, day.tm_hour, day.tm_min, day.tm_sec, static_cast<int>(now.tv_nsec / 1'000'000));
  return {text.data(), static_cast<size_t>(length)};
}

/// For lines without a time, where what collects them adds one, as systemd's journal does.
inline std::string no_time() {
  return {};
}

}  // namespace baton::BATON_VARIANT::components
