// SPDX-License-Identifier: MIT
// error: this duration is beyond the range of the clock
// lines: 16
#include <baton/core.hpp>

using namespace baton::literals;

baton::signal bell;

struct body : baton::coroutine<body, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_DELAY(10'000'000'000_s);
#else
    BATON_DELAY(1000_s);
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
