// SPDX-License-Identifier: MIT
// error: a literal of time is a whole decimal number; take a smaller unit
// lines: 22
#include <baton/core.hpp>

using namespace baton::literals;

baton::signal bell;

struct body : baton::coroutine<body, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_DELAY(1.5_ms);
#else
    BATON_DELAY(1500_us);
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
