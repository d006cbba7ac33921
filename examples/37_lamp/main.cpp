// SPDX-License-Identifier: MIT
//
// A lamp with a button and a command line, over the devices of any board. One script of edges and
// bytes tests it: test/press.script and test/commands.script run on this machine, where
// test/on_fakes.cpp puts the same logic over fakes, and on boards in their emulators.
#include <baton/board.hpp>
#include <baton/board_uart.hpp>
#include <baton/devices.hpp>

#include "button_of_board.hpp"

using the_lamp_type = lamp<baton::board::led, baton::board::console>;

the_lamp_type the_lamp;
button_of_board<the_lamp_type> the_button(the_lamp);
lamp_commands<baton::board::serial_line, the_lamp_type> the_commands(the_lamp);

int main() {
  baton::board::start();
  the_lamp.say("ready");
  the_button.start();
  the_commands.start();
  baton::scheduler::run();
}
