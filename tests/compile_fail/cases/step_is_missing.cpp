// SPDX-License-Identifier: MIT
// error: a coroutine needs a member baton::point step\(baton::point at\)
// lines: 15
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
#if !FAILS
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_END();
  }
#endif
} it;

void begin() {
  it.start();
}
