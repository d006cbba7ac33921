// SPDX-License-Identifier: MIT
// error: BATON_WAIT_FOR, BATON_WAIT_UNTIL and BATON_SELECT_FOR need the base deadline
// lines: 31
#include <baton/core.hpp>

baton::channel<int> pipe;

#if FAILS
using base = baton::waiting;
#else
using base = baton::deadline;
#endif

struct body : baton::coroutine<body, base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(baton::milliseconds(5), pipe.receive(value));
    BATON_WAIT_UNTIL(baton::port::now(), pipe.receive(value));
    BATON_END();
  }
  int value = 0;
} it;
