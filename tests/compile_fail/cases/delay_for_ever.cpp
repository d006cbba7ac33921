// SPDX-License-Identifier: MIT
// error: cannot convert .*forever_t|no viable conversion|could not convert
// error avr-g++: no matching function for call to .*sleep_for_\(const baton::forever_t
// lines: 24
#include <baton/core.hpp>

using namespace baton::literals;

baton::signal bell;

struct body : baton::coroutine<body, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_DELAY(baton::forever);
#else
    BATON_SUSPEND();
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
