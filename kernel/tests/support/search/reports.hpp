// SPDX-License-Identifier: MIT
#pragma once

#include <search/snapshot.hpp>

namespace baton {
namespace test {
namespace search {

/// The reports that were not taken, the oldest first.
inline std::vector<const kernel::detail::kept_report*> reports_in_order(const snapshot& s) {
  std::vector<const kernel::detail::kept_report*> all;
  for (const kernel::detail::kept_report& kept : s.kept) {
    if (kept.to == kernel::no_task) continue;
    auto at = all.begin();
    while (at != all.end() && (*at)->order < kept.order) ++at;
    all.insert(at, &kept);
  }
  return all;
}

/// Compares the reports on ends that were not taken.
inline const char* difference_of_reports(const snapshot& s) {
  if (s.expected.reports == 0) return nullptr;
  const std::vector<const kernel::detail::kept_report*> kept = reports_in_order(s);
  if (kept.size() != s.expected.kept.size()) return "the number of reports";
  const reference::report* expected = s.expected.kept.begin();
  for (const kernel::detail::kept_report* k : kept) {
    const bool is_same = k->report.id == expected->id && k->report.how == expected->how &&
                         k->report.why == expected->why && k->to == expected->to;
    if (!is_same) return "a report on an end";
    ++expected;
  }
  return nullptr;
}

/// Compares the report that a task has taken.
inline const char* difference_of_taken(const kernel::end_report& taken, const reference::report& expected) {
  const bool is_same =
      taken.id == expected.id && taken.how == expected.how && taken.why == expected.why && taken.lost == expected.lost;
  return is_same ? nullptr : "the report that a task has taken";
}

/// Compares the lent memory with what a copy has written there, which is then taken back.
inline const char* difference_of_lent(snapshot& s, const void* source) {
  const reference& r = s.expected;
  for (unsigned char(&lent)[room] : s.lent) {
    unsigned char expected[room];
    memset(expected, unwritten, room);
    const kernel::word at = r.written_to - reinterpret_cast<kernel::word>(lent);
    if (r.written != 0 && at < room) memcpy(expected + at, source, r.written);
    if (memcmp(expected, lent, room) != 0) return "what was lent";
    memset(lent, unwritten, room);
  }
  return nullptr;
}

}  // namespace search
}  // namespace test
}  // namespace baton
