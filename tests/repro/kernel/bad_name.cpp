// SPDX-License-Identifier: MIT
// The kernel reads the name of a child that has failed, wherever it points to: the board ends.
// Issue: Kernel.
#include "attack.hpp"

BATON_KERNEL_MEMORY static kernel::stack<stack_bytes> child_stack;

static void fail(void*) {
  *reinterpret_cast<volatile word*>(0xFFFFFFF0u) = 1;
}

void attack() {
  kernel::create(kernel::describe(3, fail, child_stack, reinterpret_cast<const char*>(0xFFFFFFF0u)));
  kernel::sleep(baton::milliseconds(3));
}

int main() {
  return run_attack();
}
