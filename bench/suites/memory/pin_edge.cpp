// SPDX-License-Identifier: MIT
//
// The scheduler, and a coroutine that waits for an edge of a pin. The interrupt is included.
#include <baton/board_pin.hpp>

#include "program.hpp"

static baton::isr_signal changed;

struct listening : baton::coroutine<listening, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(changed.wait());
      work = baton::board::button_pin::read();
    }
    BATON_END();
  }
};
static listening a;

int main() {
  start();
  baton::board::button_pin::listen(&changed);
  a.start();
  baton::scheduler::run();
}
