// SPDX-License-Identifier: MIT
// error: BATON_WAIT needs a base that waits: waiting, timed_waiting or deadline
// lines: 19
#include <baton/core.hpp>

baton::channel<int> pipe;

#if FAILS
using base = baton::plain;
#else
using base = baton::waiting;
#endif

struct body : baton::coroutine<body, base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_WAIT(pipe.receive(value));
    BATON_END();
  }
  int value = 0;
} it;
