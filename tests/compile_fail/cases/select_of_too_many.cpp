// SPDX-License-Identifier: MIT
// error: more operations than the base selecting<Cases> has room for
// lines: 12
#include <baton/core.hpp>

baton::signal a, b, c;

#if FAILS
using base = baton::selecting<2>;
#else
using base = baton::selecting<3>;
#endif

struct body : baton::coroutine<body, base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_SELECT(a.wait(), b.wait(), c.wait());
    BATON_END();
  }
} it;
