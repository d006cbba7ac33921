// SPDX-License-Identifier: MIT
//
// The scheduler, and a coroutine that starts conversions and waits for their end. The interrupt is
// included.
#include <baton/board_adc.hpp>

#include "program.hpp"

static baton::isr_signal converted;

struct listening : baton::coroutine<listening, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      if (baton::board::analog_input::start() != baton::status::ok) work = 1;
      BATON_WAIT(converted.wait());
      work = baton::board::analog_input::read();
    }
    BATON_END();
  }
};
static listening a;

int main() {
  start();
  baton::board::analog_input::listen(&converted);
  a.start();
  baton::scheduler::run();
}
