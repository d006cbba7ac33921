// SPDX-License-Identifier: MIT
//
// As pipe, with a second pipe of 8 bytes and two coroutines more.
#include "pipe.hpp"

static pair<1> one;
static pair<2> two;

int main() {
  start();
  one.start();
  two.start();
  baton::scheduler::run();
}
