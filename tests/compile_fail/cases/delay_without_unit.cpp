// SPDX-License-Identifier: MIT
// error: a number alone is no duration; give it a unit: 50_ms
// lines: 14
#include <baton/core.hpp>

using namespace baton::literals;

baton::signal bell;

struct body : baton::coroutine<body, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_DELAY(50);
#else
    BATON_DELAY(50_ms);
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
