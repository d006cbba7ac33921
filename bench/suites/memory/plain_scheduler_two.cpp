// SPDX-License-Identifier: MIT
//
// As plain_scheduler_one, with two.
#include "coroutines.hpp"

static yielding<1> a;
static yielding<2> b;

int main() {
  start();
  a.start();
  b.start();
  baton::scheduler::run();
}
