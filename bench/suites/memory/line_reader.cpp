// SPDX-License-Identifier: MIT
//
// The scheduler, and a reader of lines of up to 40 characters. The serial line, its interrupts and
// its store are included.
#include <baton/board_uart.hpp>
#include <baton/devices/line_reader.hpp>

#include "program.hpp"

struct shell : baton::devices::line_reader<shell, baton::board::serial_line, 40> {
  void on_line(const char* text, uint8_t length) { work = text[0] + length; }
};
static shell a;

int main() {
  start();
  a.start();
  baton::scheduler::run();
}
