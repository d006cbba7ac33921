// SPDX-License-Identifier: MIT
//
// The scheduler, a watch of an `int`, a coroutine that sets it and one that reads it.
#include "watch.hpp"

static pair<1> one;

int main() {
  start();
  one.start();
  baton::scheduler::run();
}
