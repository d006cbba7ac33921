// SPDX-License-Identifier: MIT
//
// The scheduler, a broadcast whose slow readers lose values, a coroutine that sends and one that
// receives.
#include "broadcast.hpp"

static pair<1> one;

int main() {
  start();
  one.start();
  baton::scheduler::run();
}
