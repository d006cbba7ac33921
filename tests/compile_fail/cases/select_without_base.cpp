// SPDX-License-Identifier: MIT
// error: BATON_SELECT needs the base selecting<Cases>
// lines: 16
#include <baton/core.hpp>

baton::signal a, b;

#if FAILS
using base = baton::waiting;
#else
using base = baton::selecting<2>;
#endif

struct body : baton::coroutine<body, base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_SELECT(a.wait(), b.wait());
    BATON_END();
  }
} it;
