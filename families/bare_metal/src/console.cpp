// SPDX-License-Identifier: MIT
//
// The board's console for ports, which are below it.
#include <baton/board_console.hpp>

/// The kernel's parts of ports say by it which task has failed.
extern "C" void baton_console_put(char c) {
  baton::board::console::put(c);
}
