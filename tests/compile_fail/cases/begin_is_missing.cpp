// SPDX-License-Identifier: MIT
// error: this_body_needs_BATON_BEGIN
// lines: 65
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
#if FAILS
    ++count;
#else
    BATON_BEGIN();
    ++count;
#endif
    BATON_YIELD();
    BATON_END();
  }
  int count = 0;
} it;
