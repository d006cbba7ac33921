// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>

#include "counters.hpp"

namespace {

template <typename... Counters>
bool together(Counters... counters) {
  const volatile uint32_t values[] = {static_cast<uint32_t>(counters)...};
  return suite_thread_metric::have_advanced_together(values, sizeof...(counters));
}

}  // namespace

TEST_CASE("counters within one of their average have advanced together") {
  CHECK(together(7));
  CHECK(together(100, 100));
  CHECK(together(101, 100, 100, 100, 100));
  CHECK(together(99, 100, 100, 100, 101));
  CHECK(together(0, 0, 0, 1, 1));
}

TEST_CASE("a counter that is further ahead or behind has not") {
  CHECK(!together(102, 100, 100, 100, 100));
  CHECK(!together(100, 100, 97, 100, 100));
  CHECK(!together(0, 100, 100, 100, 100));
  CHECK(!together(3, 0));
}
