// SPDX-License-Identifier: MIT
//
// Executes an undefined instruction: the board's fault handler reports it and ends the program.
#include <baton/board.hpp>

int main() {
  baton::board::start();
  __builtin_trap();
}
