// SPDX-License-Identifier: MIT
// error g++ avr-g++: jump to case label
// error clang++: cannot jump from switch statement to this case label
// lines: 19
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    int count = 0;
    BATON_YIELD();
    ++count;
#else
    count = 0;
    BATON_YIELD();
    ++count;
#endif
    BATON_END();
  }
  int count = 0;
} it;
