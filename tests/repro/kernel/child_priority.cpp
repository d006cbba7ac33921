// SPDX-License-Identifier: MIT
// A task makes a child that is more urgent than itself and than a privileged task, which never runs
// again.
// Issue: Kernel.
#include "attack.hpp"

BATON_KERNEL_MEMORY static kernel::stack<stack_bytes> child_stack;

static void spin(void*) {
  for (;;) __asm__ volatile("");
}

void attack() {
  kernel::create(kernel::describe(7, spin, child_stack, "spins"));
}

int main() {
  return run_attack();
}
