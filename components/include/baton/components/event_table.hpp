// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <baton/core/duration.hpp>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace baton::BATON_VARIANT::components {

/// The number of events of one type, and the time of their handling.
struct event_row {
  std::string_view type;  ///< the type's name in the source
  uint64_t count = 0;
  uint64_t failed = 0;  ///< further events, whose handler threw
  tick least = 0;
  tick most = 0;
  tick total = 0;

  void add(tick took) noexcept {
    least = count == 0 || took < least ? took : least;
    most = took > most ? took : most;
    total += took;
    ++count;
  }
  /// 0 if there was no event.
  tick mean() const noexcept { return count == 0 ? 0 : total / count; }
};

/// The rows of all types.
struct event_table {
  std::vector<event_row> rows;

  void sort() {
    std::sort(rows.begin(), rows.end(), [](const event_row& a, const event_row& b) { return a.type < b.type; });
  }
  /// The row of a type; null if there was no such event.
  const event_row* find(std::string_view type) const noexcept {
    for (const event_row& r : rows) {
      if (r.type == type) return &r;
    }
    return nullptr;
  }

  /// A table for people: one line per type, with times in microseconds, rounded down.
  std::string text() const {
    size_t width = sizeof "event" - 1;
    for (const event_row& r : rows) width = std::max(width, r.type.size());
    std::string all = line(width, "event", "count", "min us", "mean us", "max us");
    for (const event_row& r : rows) {
      all += line(width, r.type, std::to_string(r.count), micros(r.least), micros(r.mean()), micros(r.most));
    }
    return all;
  }

 private:
  static std::string micros(tick t) { return std::to_string(t / 1_us); }
  static std::string line(size_t width, std::string_view type, const std::string& count, const std::string& least,
                          const std::string& mean, const std::string& most) {
    std::string l(type);
    l.resize(width, ' ');
    for (const std::string* cell : {&count, &least, &mean, &most}) {
      l.append(cell->size() < 10 ? 11 - cell->size() : 1, ' ').append(*cell);
    }
    return l + "\n";
  }
};

}  // namespace baton::BATON_VARIANT::components
