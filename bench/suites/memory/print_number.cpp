// SPDX-License-Identifier: MIT
//
// As print_text, with an `int`.
#include "program.hpp"

int main() {
  start();
  baton::board::console console;
  baton::print_line(console, baton::constant_text(BATON_TEXT("ready")), static_cast<int>(work));
  for (;;) work = 1;
}
