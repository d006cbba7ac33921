// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>

using namespace baton;

namespace {

struct astray : coroutine<astray> {
  point step(point at) {
    BATON_BEGIN();
    BATON_YIELD();
    BATON_END();
  }
};

}  // namespace

TEST_CASE("a resume at a label that the body does not have is requirement 105") {
  astray a;
  a.start();
  CHECK(scheduler::run_one());
  a.at = 77;
  uint16_t id = 0;
  try {
    scheduler::run_one();
  } catch (const test::requirement_failed& failed) {
    id = failed.id;
  }
  CHECK_EQ(id, 105);
}
