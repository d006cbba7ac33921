// SPDX-License-Identifier: MIT
//
// Offers the board's console to ports, which do not know the board.
#include <baton/board_console.hpp>

/// Used by the kernel's parts of ports to report a task that has failed.
extern "C" void baton_console_put(char c) {
  baton::board::console::put(c);
}
