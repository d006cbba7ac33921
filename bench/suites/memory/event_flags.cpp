// SPDX-License-Identifier: MIT
//
// The scheduler, event flags, a coroutine that sets one and one that waits for it.
#include "program.hpp"

static baton::event_flags flags;

struct first : baton::coroutine<first, baton::plain> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      flags.set(1);
      BATON_YIELD();
    }
    BATON_END();
  }
};

struct second : baton::coroutine<second, baton::waiting> {
  baton::flags_wait wanted;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      wanted.mask = 1;
      BATON_WAIT(flags.wait(wanted));
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
