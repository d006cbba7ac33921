// SPDX-License-Identifier: MIT
//
// Two coroutines that alternate, for the listing in docs/switch-cost.md. Their work is one
// instruction.
#include <baton/board.hpp>
#include <baton/core.hpp>

struct blink : baton::coroutine<blink> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      baton::board::led::set(true);
      BATON_YIELD();
      baton::board::led::set(false);
      BATON_YIELD();
    }
    BATON_END();
  }
};

struct flicker : baton::coroutine<flicker> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      baton::board::led::set(true);
      BATON_YIELD();
      baton::board::led::toggle();
      BATON_YIELD();
    }
    BATON_END();
  }
};

blink first;
flicker second;

int main() {
  baton::board::start();
  first.start();
  second.start();
  baton::scheduler::run();
}
