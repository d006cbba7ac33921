// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

TEST_CASE("a trace with a line too many") {
  MARK("one");
  MARK("two");
  CHECK_TRACE("one");
}
