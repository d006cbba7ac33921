// SPDX-License-Identifier: MIT
#pragma once

#include <baton/test/check.hpp>
#include <baton/test/search/exploration.hpp>
#include <initializer_list>
#include <memory>
#include <search/world.hpp>

namespace baton {
namespace test {
namespace search {

using search = exploration<world, bounds>;

inline std::vector<uint8_t> numbers_of(std::initializer_list<kernel::call_number> calls) {
  std::vector<uint8_t> all;
  for (const kernel::call_number c : calls) all.push_back(number_of(c));
  return all;
}

/// All calls but those of leases and of reports, which have systems of their own.
inline std::vector<uint8_t> all_calls() {
  std::vector<uint8_t> all;
  for (const call_row& row : call_table) {
    if (row.number < number_of(kernel::call_number::send_lending) || row.number == bad_call) all.push_back(row.number);
  }
  return all;
}

/// Searches within these bounds, and prints the number of states, or the path to a failure. After a
/// failure no other system is searched.
inline std::unique_ptr<search> visit(const bounds& b, const limits& l) {
  static bool has_failed = false;
  std::unique_ptr<search> all(new search(b, l));
  if (has_failed) return all;
  all->run();
  all->print();
  has_failed = all->has_failed();
  CHECK(!has_failed);
  return all;
}

}  // namespace search
}  // namespace test
}  // namespace baton
