// SPDX-License-Identifier: MIT
#include "channel_stress.hpp"

using namespace stress;

TEST_CASE("a stress test at a channel loses and doubles nothing, and keeps each sender's order") {
  constexpr uint32_t seed = 1 + BATON_STRESS_SLOTS;
  channel_stress<channel<message, BATON_STRESS_SLOTS>> s(seed);
  rage(s);
  CHECK_EQ(s.found.first, fault::none);
  CHECK_WITH(s.found.faults == 0, seed);
  // Enough sends have happened for a stress test.
  CHECK(s.found.done > rounds / 4);
  CHECK(s.found.cancelled > rounds / 5 * 2);
  CHECK(s.found.timed_out > rounds / 64);
  CHECK(s.found.lost > rounds / 1024);
}
