// SPDX-License-Identifier: MIT
//
// A coroutine that works every 10 ms, resumed by main; no scheduler, so it looks at the clock.
#include "coroutines.hpp"

static looking<1> a;

int main() {
  start();
  for (;;) a.direct_resume();
}
