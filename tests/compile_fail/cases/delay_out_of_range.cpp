// SPDX-License-Identifier: MIT
// only: avr-g++
// error: this constant delay is beyond the range of the clock
// lines: 11
#include <baton/core.hpp>

#if FAILS
using base = baton::timed;
#else
using base = baton::long_timed;
#endif

struct body : baton::coroutine<body, base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_DELAY_S(1000000);
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
