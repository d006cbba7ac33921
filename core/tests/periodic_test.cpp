// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

/// Runs five periods of 10 ms; the second run takes 35 ms.
struct beat : coroutine<beat, periodic<>> {
  explicit beat(catch_up p) : policy(p) {}

  point step(point at) {
    BATON_BEGIN();
    BATON_PERIOD_START();
    for (; runs < 5; ++runs) {
      BATON_PERIOD_MS(10, policy);
      at_ms[runs] = static_cast<uint16_t>(port::now() / milliseconds(1));
      if (runs == 1) sim::advance(milliseconds(35));
    }
    BATON_END();
  }

  catch_up policy;
  uint8_t runs = 0;
  uint16_t at_ms[5] = {};
};

}  // namespace

TEST_CASE("a period that catches up runs each missed one at once and returns to the grid") {
  beat b(catch_up::all);
  b.start();
  scheduler::run();
  const uint16_t expected[5] = {10, 20, 55, 55, 55};
  for (uint8_t i = 0; i < 5; ++i) CHECK_EQ(b.at_ms[i], expected[i]);
  CHECK_EQ(b.missed(), 0);
}

TEST_CASE("a period that skips leaves missed ones out, counts them and stays on the grid") {
  beat b(catch_up::skip);
  b.start();
  scheduler::run();
  const uint16_t expected[5] = {10, 20, 60, 70, 80};
  for (uint8_t i = 0; i < 5; ++i) CHECK_EQ(b.at_ms[i], expected[i]);
  CHECK_EQ(b.missed(), 3);
}
