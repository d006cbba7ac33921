// SPDX-License-Identifier: MIT
// error: cannot convert .*baton::duration|no matching member function|no viable conversion|could not convert
// lines: 22
#include <baton/core.hpp>

using namespace baton::literals;

baton::signal bell;

struct body : baton::coroutine<body, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_WAIT_UNTIL(50_ms, bell.wait());
#else
    BATON_WAIT_UNTIL(baton::port::now() + 50_ms, bell.wait());
#endif
    BATON_END();
  }
} it;

void begin() {
  it.start();
}
