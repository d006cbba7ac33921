// SPDX-License-Identifier: MIT
// error: cannot convert .*baton::duration|no matching member function|no viable conversion|could not convert
// error avr-g++: no matching function for call to .*delay_\((const )?baton::duration
// lines: 32
#include <baton/core.hpp>

using namespace baton::literals;

baton::signal bell;

struct body : baton::coroutine<body, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_DELAY_MS(50_ms);
#else
    BATON_DELAY_MS(50);
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
