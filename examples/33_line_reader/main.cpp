// SPDX-License-Identifier: MIT
//
// A command line over a serial line: `line_reader` echoes, takes characters back at a backspace,
// and refuses a line that is too long or that has lost bytes. It waits for the receiver's
// interrupt.
#include <baton/board.hpp>
#include <baton/board_uart.hpp>
#include <baton/core.hpp>
#include <baton/devices/line_reader.hpp>

#include "../support/say.hpp"

struct shell : baton::devices::line_reader<shell, baton::board::serial_line, 16> {
  void on_line(const char* text, uint8_t length) {
    say("got ", length, " characters: ", text);
    if (overlong() || damaged()) say(overlong(), " lines were too long, ", damaged(), " had lost bytes");
  }
};

shell the_shell;

int main() {
  baton::board::start();
  the_shell.start();
  baton::scheduler::run();
}
