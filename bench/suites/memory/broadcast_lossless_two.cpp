// SPDX-License-Identifier: MIT
//
// As broadcast_lossless, with a second broadcast of another type and two coroutines more.
#include "broadcast_lossless.hpp"

static pair<1> one;
static pair<2> two;

int main() {
  start();
  one.start();
  two.start();
  baton::scheduler::run();
}
