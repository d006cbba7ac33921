// SPDX-License-Identifier: MIT
//
// An instruction that is none: the board's fault handler says so and ends the program.
#include <baton/board.hpp>

int main() {
  baton::board::start();
  __builtin_trap();
}
