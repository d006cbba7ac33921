// SPDX-License-Identifier: MIT
// error g++ avr-g++: could not convert .*wait_point
// error clang++: wait_point. is not implicitly convertible
// lines: 18
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    switch (count) {
      case 7:
        BATON_YIELD();
        break;
      default:
        ++count;
    }
#else
    if (count == 7) BATON_YIELD();
#endif
    BATON_END();
  }
  int count = 0;
} it;
