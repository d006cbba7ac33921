// SPDX-License-Identifier: MIT
//
// As isr_channel, with a second channel of another type, to which the handler sends too, and a
// second coroutine.
#include <baton/board_serial.hpp>

#include "program.hpp"

static baton::isr_channel<uint8_t, 8> arrived;
static baton::isr_channel<uint16_t, 4> counted;

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

struct counting : baton::coroutine<counting, baton::waiting> {
  uint16_t count;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(counted.receive(count));
      work = static_cast<int>(count);
    }
    BATON_END();
  }
};
static counting b;

int main() {
  start();
  baton::board::serial_in::listen([](uint8_t byte) {
    arrived.send(byte);
    counted.send(byte);
  });
  a.start();
  b.start();
  baton::scheduler::run();
}
