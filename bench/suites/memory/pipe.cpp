// SPDX-License-Identifier: MIT
//
// The scheduler, a pipe of 16 bytes, a coroutine that writes and one that reads.
#include "pipe.hpp"

static pair<1> one;

int main() {
  start();
  one.start();
  baton::scheduler::run();
}
