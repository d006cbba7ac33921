// SPDX-License-Identifier: MIT
//
// A coroutine that yields, which main resumes; no scheduler, no clock.
#include "coroutines.hpp"

static yielding<1> a;

int main() {
  start();
  for (;;) a.direct_resume();
}
