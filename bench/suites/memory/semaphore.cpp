// SPDX-License-Identifier: MIT
//
// The scheduler, a semaphore, a coroutine that releases it and one that acquires it.
#include "program.hpp"

static baton::semaphore units;

struct first : baton::coroutine<first, baton::plain> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      units.release();
      BATON_YIELD();
    }
    BATON_END();
  }
};

struct second : baton::coroutine<second, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(units.acquire());
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
