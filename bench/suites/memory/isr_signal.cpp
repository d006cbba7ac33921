// SPDX-License-Identifier: MIT
//
// The scheduler, and a coroutine that waits for the console's receive interrupt. The interrupt's
// handler is included.
#include <baton/board_serial.hpp>

#include "program.hpp"

static baton::isr_signal arrived;
static volatile uint8_t last;

struct listening : baton::coroutine<listening, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(arrived.wait());
      work = last;
    }
    BATON_END();
  }
};
static listening a;

int main() {
  start();
  baton::board::serial_in::listen([](uint8_t byte) {
    last = byte;
    arrived.set();
  });
  a.start();
  baton::scheduler::run();
}
