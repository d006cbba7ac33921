// SPDX-License-Identifier: MIT
// error: BATON_RETURN needs the base returning<T>
// lines: 16
#include <baton/core.hpp>

#if FAILS
using base = baton::plain;
#else
using base = baton::returning<int>;
#endif

struct body : baton::coroutine<body, base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_RETURN(1);
    BATON_END();
  }
} it;
