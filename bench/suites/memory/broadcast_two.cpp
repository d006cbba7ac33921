// SPDX-License-Identifier: MIT
//
// As broadcast, with a second broadcast of another type and two coroutines more.
#include "broadcast.hpp"

static pair<1> one;
static pair<2> two;

int main() {
  start();
  one.start();
  two.start();
  baton::scheduler::run();
}
