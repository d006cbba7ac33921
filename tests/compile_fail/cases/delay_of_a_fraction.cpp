// SPDX-License-Identifier: MIT
// error: a time counts whole units; take a smaller unit
// lines: 16
#include <baton/core.hpp>

struct body : baton::coroutine<body, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_DELAY_S(0.5);
#else
    BATON_DELAY_MS(500);
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
