// SPDX-License-Identifier: MIT
//
// The scheduler, its timers, the clock, sleep while idle, and a coroutine that works every 10 ms.
#include "coroutines.hpp"

static delaying<1> a;

int main() {
  start();
  a.start();
  baton::scheduler::run();
}
