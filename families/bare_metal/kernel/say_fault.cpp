// SPDX-License-Identifier: MIT
//
// The line that a task's fault is to whoever looks at the board. By itself, so that a program with its own listener does without it.
#include <baton/kernel/print.hpp>

/// The board's.
extern "C" void baton_console_put(char c);

namespace baton {

void kernel_switch::say_fault(const kernel::kernel_state& m, const kernel::tcb& t, kernel::fault why,
                              kernel::word address) {
  kernel::say_fault<&baton_console_put>(m, t, why, address);
}

}  // namespace baton
