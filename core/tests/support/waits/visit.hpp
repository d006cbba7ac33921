// SPDX-License-Identifier: MIT
#pragma once

#include <baton/test/check.hpp>
#include <baton/test/search/exploration.hpp>
#include <memory>
#include <waits/world.hpp>

namespace baton {
namespace test {
namespace waits {

/// Searches within these bounds, and prints the number of states, or the path to a failure. Returns
/// true if all states were visited.
template <typename Kinds>
bool visit(const bounds& b, const search::limits& l) {
  using exploration = search::exploration<world<Kinds>, bounds>;
  const std::unique_ptr<exploration> all(new exploration(b, l));
  all->run();
  all->print();
  CHECK(!all->has_failed());
  return all->is_complete();
}

}  // namespace waits
}  // namespace test
}  // namespace baton
