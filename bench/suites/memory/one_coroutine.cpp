// SPDX-License-Identifier: MIT
//
// A coroutine that works every 10 ms, which main resumes; no scheduler, so it reads the clock
// itself.
#include "coroutines.hpp"

static looking<1> a;

int main() {
  start();
  for (;;) a.direct_resume();
}
