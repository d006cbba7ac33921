// SPDX-License-Identifier: MIT
#include "endpoint_stress.hpp"

using namespace stress;

TEST_CASE(
    "a stress test at an endpoint: each request is served once at most, each reply reaches its client or is told that "
    "it is "
    "late") {
  constexpr uint32_t seed = 11;
  endpoint_stress<endpoint<message, message>> s(seed);
  rage(s);
  CHECK_EQ(s.found.first, fault::none);
  CHECK_WITH(s.found.faults == 0, seed);
  // Enough calls have happened for a stress test.
  CHECK(s.found.done > rounds / 16);
  CHECK(s.found.cancelled > rounds / 5 * 2);
  CHECK(s.found.timed_out > rounds / 64);
  CHECK(s.gone > rounds / 256);
  CHECK(s.too_late > rounds / 256);
  CHECK(s.timed_out_in_service > rounds / 256);
}
