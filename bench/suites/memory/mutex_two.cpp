// SPDX-License-Identifier: MIT
//
// As mutex, with a second mutex and two coroutines more.
#include "mutex.hpp"

static pair<1> one;
static pair<2> two;

int main() {
  start();
  one.start();
  two.start();
  baton::scheduler::run();
}
