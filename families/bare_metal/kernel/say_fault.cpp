// SPDX-License-Identifier: MIT
//
// Prints a task's fault on the board's console. It stands in a file of its own, so that a program
// with its own listener does not hold it.
#include <baton/kernel/print.hpp>

/// The board's function that prints a character.
extern "C" void baton_console_put(char c);

namespace baton {

void kernel_switch::say_fault(const kernel::kernel_state& m, const kernel::tcb& t, kernel::fault why,
                              kernel::word address) {
  kernel::say_fault<&baton_console_put>(m, t, why, address);
}

}  // namespace baton
