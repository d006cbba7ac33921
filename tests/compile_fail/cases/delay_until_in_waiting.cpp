// SPDX-License-Identifier: MIT
// error: a delay needs a base that sleeps: timed, long_timed, timed_waiting or deadline
// lines: 16
#include <baton/core.hpp>

#if FAILS
using base = baton::waiting;
#else
using base = baton::timed_waiting;
#endif

struct body : baton::coroutine<body, base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_DELAY_UNTIL(baton::port::now());
    BATON_END();
  }
} it;
