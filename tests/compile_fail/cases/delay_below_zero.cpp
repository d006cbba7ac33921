// SPDX-License-Identifier: MIT
// error: this constant delay is beyond the range of the clock
// lines: 14
#include <baton/core.hpp>

struct body : baton::coroutine<body, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_DELAY_MS(-1);
#else
    BATON_DELAY_MS(1);
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
