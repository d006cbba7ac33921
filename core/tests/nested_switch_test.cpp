// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>

using namespace baton;

namespace {

/// Its wait point stands inside a switch of its own: the body's switch does not have the label.
struct astray : coroutine<astray> {
  point step(point at) {
    BATON_BEGIN();
    switch (choice) {
      case 40:
        BATON_YIELD();
        break;
      default:
        break;
    }
    BATON_END();
  }

  int choice = 40;
};

}  // namespace

TEST_CASE("a wait point inside a switch of the body's own is requirement 105 when it is resumed") {
  astray a;
  a.start();
  CHECK(scheduler::run_one());
  uint16_t id = 0;
  try {
    scheduler::run_one();
  } catch (const test::requirement_failed& failed) {
    id = failed.id;
  }
  CHECK_EQ(id, 105);
}
