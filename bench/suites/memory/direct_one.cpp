// SPDX-License-Identifier: MIT
//
// A coroutine that yields, resumed by main; no scheduler, no clock.
#include "coroutines.hpp"

static yielding<1> a;

int main() {
  start();
  for (;;) a.direct_resume();
}
