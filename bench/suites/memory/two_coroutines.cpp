// SPDX-License-Identifier: MIT
//
// As one_coroutine, with two.
#include "coroutines.hpp"

static looking<1> a;
static looking<2> b;

int main() {
  start();
  for (;;) {
    a.direct_resume();
    b.direct_resume();
  }
}
