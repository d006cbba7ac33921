// SPDX-License-Identifier: MIT
// error: a number alone is no duration; give it a unit: 50_ms
// lines: 18
#include <baton/core.hpp>

using namespace baton::literals;

baton::signal bell;

struct body : baton::coroutine<body, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_WAIT_FOR(50, bell.wait());
#else
    BATON_WAIT_FOR(50_ms, bell.wait());
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
