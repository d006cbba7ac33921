// SPDX-License-Identifier: MIT
//
// As direct_one, with two.
#include "coroutines.hpp"

static yielding<1> a;
static yielding<2> b;

int main() {
  start();
  for (;;) {
    a.direct_resume();
    b.direct_resume();
  }
}
