// SPDX-License-Identifier: MIT
//
// As print_number, with a second line.
#include "program.hpp"

int main() {
  start();
  baton::board::console console;
  baton::print_line(console, baton::constant_text(BATON_TEXT("ready")), static_cast<int>(work));
  baton::print_line(console, baton::constant_text(BATON_TEXT("steady")), static_cast<int>(work));
  for (;;) work = 1;
}
