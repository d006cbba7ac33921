// SPDX-License-Identifier: MIT
//
// A text on the board's console, in flash on AVR.
#include "program.hpp"

int main() {
  start();
  baton::board::console console;
  baton::print_line(console, baton::constant_text(BATON_TEXT("ready")));
  for (;;) work = 1;
}
