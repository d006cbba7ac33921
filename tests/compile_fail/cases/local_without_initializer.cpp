// SPDX-License-Identifier: MIT
// silent g++ avr-g++: nothing is jumped over that was initialised, and it is garbage after the wait.
// error clang++: variable .count. is uninitialized
// lines: 8
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    int count;
    count = 0;
    BATON_YIELD();
    total += count;
#else
    count = 0;
    BATON_YIELD();
    total += count;
#endif
    BATON_END();
  }
  int total = 0;
  int count = 0;
} it;
