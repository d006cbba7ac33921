// SPDX-License-Identifier: MIT
//
// From an interrupt to a coroutine. The receive interrupt sends each byte through an isr_channel;
// the coroutine receives them and prints lines. The channel counts the bytes that find it full. On
// Linux the interrupt is a signal handler, and the bytes come from standard input.
#include <baton/board.hpp>
#include <baton/board_serial.hpp>
#include <baton/core.hpp>

baton::board::console console;

baton::isr_channel<uint8_t, 16> received;  // the interrupt sends, the coroutine receives; neither masks the other
volatile uint8_t line_ends = 0;            // only the interrupt writes it

void on_byte(uint8_t byte) {
  if (byte == '\n') line_ends = static_cast<uint8_t>(line_ends + 1);
  received.send(byte);
}

struct reader : baton::coroutine<reader, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(received.receive(byte_));
      take();
      if (received.depth() == 0) drop_damaged_line();
    }
    BATON_END();
  }

  void take() {
    if (byte_ == '!') {
      be_busy();
    } else if (byte_ == '\n') {
      line_[length_] = 0;
      baton::print_line(console, "line: ", static_cast<const char*>(line_));
      length_ = 0;
    } else if (length_ < sizeof(line_) - 1) {
      line_[length_++] = static_cast<char>(byte_);
    }
  }

  // A step should not do this: it keeps the processor until a whole line has come in, and the
  // channel is too small for a line.
  static void be_busy() {
    baton::print_line(console, "busy");
    const uint8_t seen = line_ends;
    while (line_ends == seen) {
    }
  }

  void drop_damaged_line() {
    const uint16_t lost = received.overflows();
    if (lost == known_lost_) return;
    baton::print_line(console, "lost ", static_cast<uint16_t>(lost - known_lost_), " bytes after ", length_,
                      " good ones");
    known_lost_ = lost;
    length_ = 0;
  }

  uint8_t byte_ = 0;
  uint8_t length_ = 0;
  uint16_t known_lost_ = 0;
  char line_[40] = {};
};

reader line_reader;

int main() {
  baton::board::start();
  baton::board::serial_in::listen(on_byte);
  line_reader.start();
  baton::scheduler::run();
}
