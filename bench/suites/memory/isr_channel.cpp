// SPDX-License-Identifier: MIT
//
// The scheduler, and a coroutine that receives the bytes of the console's receive interrupt. The
// interrupt's handler is included.
#include <baton/board_serial.hpp>

#include "program.hpp"

static baton::isr_channel<uint8_t, 8> arrived;

struct listening : baton::coroutine<listening, baton::waiting> {
  uint8_t byte;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(arrived.receive(byte));
      work = byte;
    }
    BATON_END();
  }
};
static listening a;

int main() {
  start();
  baton::board::serial_in::listen([](uint8_t byte) { arrived.send(byte); });
  a.start();
  baton::scheduler::run();
}
