// SPDX-License-Identifier: MIT
//
// A pin that is configured, read and written, without a scheduler.
#include <baton/board_pin.hpp>

#include "program.hpp"

int main() {
  using pin = baton::board::button_pin;
  start();
  pin::configure(baton::devices::pin_mode::input_pullup);
  work = pin::read();
  pin::write(true);
}
