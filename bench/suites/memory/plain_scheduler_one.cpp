// SPDX-License-Identifier: MIT
//
// The scheduler and a coroutine that yields; no timers.
#include "coroutines.hpp"

static yielding<1> a;

int main() {
  start();
  a.start();
  baton::scheduler::run();
}
