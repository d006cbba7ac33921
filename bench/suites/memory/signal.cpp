// SPDX-License-Identifier: MIT
//
// The scheduler, a signal, a coroutine that sets it and one that waits for it.
#include "program.hpp"

static baton::signal ready;

struct first : baton::coroutine<first, baton::plain> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      ready.set();
      BATON_YIELD();
    }
    BATON_END();
  }
};

struct second : baton::coroutine<second, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(ready.wait());
      work = 1;
    }
    BATON_END();
  }
};

static first a;
static second b;

int main() {
  start();
  a.start();
  b.start();
  baton::scheduler::run();
}
