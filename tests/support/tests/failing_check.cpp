// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>

TEST_CASE("a check that holds") {
  CHECK(true);
}

TEST_CASE("a check that does not hold") {
  CHECK_EQ(1 + 1, 3);
}
