// SPDX-License-Identifier: MIT
// silent: the label belongs to the inner switch, and the body goes on there at the wrong place.
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
