// SPDX-License-Identifier: MIT
// not: avr-g++
// error g++: jump to case label
// error clang++: cannot jump from switch statement to this case label
// lines: 28
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    try {
      BATON_YIELD();
    } catch (...) {
    }
#else
    try {
      ++count;
    } catch (...) {
    }
    BATON_YIELD();
#endif
    BATON_END();
  }
  int count = 0;
} it;
