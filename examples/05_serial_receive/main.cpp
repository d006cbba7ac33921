// SPDX-License-Identifier: MIT
//
// From an interrupt to a coroutine. The receive interrupt stores each byte in a ring and sets an
// isr_signal; the coroutine wakes, empties the ring and prints lines. Bytes that find the ring full
// are counted. On Linux the interrupt is a signal handler, and the bytes come from standard input.
#include <baton/board.hpp>
#include <baton/board_serial.hpp>
#include <baton/core.hpp>

#include "../support/say.hpp"

baton::ring<uint8_t, 16> received;  // the interrupt pushes, the coroutine pops; neither masks the other
baton::isr_signal arrived;          // the interrupt wakes the waiting coroutine by it
volatile uint8_t lost = 0;          // only the interrupt writes it
volatile uint8_t line_ends = 0;     // likewise

void on_byte(uint8_t byte) {
  if (byte == '\n') line_ends = static_cast<uint8_t>(line_ends + 1);
  if (received.push(byte) != baton::status::ok && lost != UINT8_MAX) lost = static_cast<uint8_t>(lost + 1);
  arrived.set();
}

struct reader : baton::coroutine<reader, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(arrived.wait());  // one bit, not a count: several bytes may have come
      while (received.pop(byte_) == baton::status::ok) take();
      drop_damaged_line();
    }
    BATON_END();
  }

  void take() {
    if (byte_ == '!') {
      be_busy();
    } else if (byte_ == '\n') {
      line_[length_] = 0;
      say("line: ", static_cast<const char*>(line_));
      length_ = 0;
    } else if (length_ < sizeof(line_) - 1) {
      line_[length_++] = static_cast<char>(byte_);
    }
  }

  // A step should not do this: it keeps the processor until a whole line has come in, and the ring
  // is too small for a line.
  static void be_busy() {
    say("busy");
    const uint8_t seen = line_ends;
    while (line_ends == seen) {
    }
  }

  void drop_damaged_line() {
    const uint8_t now_lost = lost;
    if (now_lost == known_lost_) return;
    say("lost ", static_cast<uint8_t>(now_lost - known_lost_), " bytes after ", length_, " good ones");
    known_lost_ = now_lost;
    length_ = 0;
  }

  uint8_t byte_ = 0;
  uint8_t length_ = 0;
  uint8_t known_lost_ = 0;
  char line_[40] = {};
};

reader line_reader;

int main() {
  baton::board::start();
  baton::board::serial_in::listen(on_byte);
  line_reader.start();
  baton::scheduler::run();
}
