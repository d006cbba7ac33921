// SPDX-License-Identifier: MIT
// error g++ avr-g++: 'it' does not name a type
// error clang++: C\+\+ requires a type specifier
// lines: 22
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    ++count;
    BATON_YIELD();
#if !FAILS
    BATON_END();
#endif
  }
  int count = 0;
} it;
