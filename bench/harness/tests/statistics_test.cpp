// SPDX-License-Identifier: MIT
#include <baton/bench/statistics.hpp>
#include <baton/test/check.hpp>

using namespace baton::bench;

TEST_CASE("sorting puts samples in ascending order, equal ones too") {
  uint64_t samples[] = {5, 1, 4, 1, 5, 9, 2, 6};
  const uint64_t expected[] = {1, 1, 2, 4, 5, 5, 6, 9};
  sort(samples, 8);
  for (uint8_t i = 0; i < 8; ++i) CHECK_EQ(samples[i], expected[i]);
}

TEST_CASE("sorting leaves a single sample alone") {
  uint64_t sample[] = {7};
  sort(sample, 1);
  CHECK_EQ(sample[0], 7);
}

TEST_CASE("the median is the middle sample, the lower one of two") {
  const uint64_t odd[] = {1, 2, 40};
  const uint64_t even[] = {1, 2, 3, 40};
  CHECK_EQ(median(odd, 3), 2);
  CHECK_EQ(median(even, 4), 2);
  CHECK_EQ(median(odd, 1), 1);
}

TEST_CASE("thousandths of an operation are rounded to the nearest") {
  CHECK_EQ(thousandths(0, 3), 0);
  CHECK_EQ(thousandths(10, 3), 3333);
  CHECK_EQ(thousandths(20, 3), 6667);
  CHECK_EQ(thousandths(1, 2000), 1);
  CHECK_EQ(thousandths(1, 2001), 0);
}

TEST_CASE("an interval of hours does not overflow") {
  const uint64_t four_hours_ns = 14400000000000u;
  CHECK(thousandths(four_hours_ns, 1) == 14400000000000000u);
}
