// SPDX-License-Identifier: MIT
// error g++ avr-g++: use of deleted function
// error clang++: call to (deleted|implicitly-deleted) (copy )?constructor
// lines: 28
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_END();
  }
};
using thing = body;

thing first;
#if FAILS
thing second(first);
#else
thing& second = first;
#endif
