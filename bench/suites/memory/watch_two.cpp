// SPDX-License-Identifier: MIT
//
// As watch, with a second watch and two coroutines more.
#include "watch.hpp"

static pair<1> one;
static pair<2> two;

int main() {
  start();
  one.start();
  two.start();
  baton::scheduler::run();
}
