// SPDX-License-Identifier: MIT
//
// The scheduler, and a coroutine that reads a serial line. The interrupts and the store of received
// bytes are included.
#include <baton/board_uart.hpp>

#include "program.hpp"

static baton::isr_signal arrived;

struct listening : baton::coroutine<listening, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      while (baton::board::serial_line::read(byte_) == baton::status::ok) work = byte_;
      BATON_WAIT(arrived.wait());
    }
    BATON_END();
  }
  uint8_t byte_ = 0;
};
static listening a;

int main() {
  start();
  baton::board::serial_line::open();
  baton::board::serial_line::listen(&arrived);
  a.start();
  baton::scheduler::run();
}
