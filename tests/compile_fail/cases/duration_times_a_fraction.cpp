// SPDX-License-Identifier: MIT
// error: a duration is multiplied and divided by whole numbers
// lines: 16
#include <baton/core.hpp>

using namespace baton::literals;

baton::signal bell;

struct body : baton::coroutine<body, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_DELAY(50_ms * 0.5);
#else
    BATON_DELAY(50_ms / 2);
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
