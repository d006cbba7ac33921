// SPDX-License-Identifier: MIT
//
// As scheduler_one_coroutine, with two: the difference is the size of a further coroutine.
#include "coroutines.hpp"

static delaying<1> a;
static delaying<2> b;

int main() {
  start();
  a.start();
  b.start();
  baton::scheduler::run();
}
