// SPDX-License-Identifier: MIT
//
// The scheduler, a mutex, and two coroutines that hold it across a yield.
#include "mutex.hpp"

static pair<1> one;

int main() {
  start();
  one.start();
  baton::scheduler::run();
}
