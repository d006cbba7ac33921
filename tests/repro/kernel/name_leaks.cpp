// SPDX-License-Identifier: MIT
// The name of a child that has failed may point to the kernel's memory, which is printed.
// Issue: Kernel.
#include "attack.hpp"

BATON_KERNEL_MEMORY static kernel::stack<stack_bytes> child_stack;

static void fail(void*) {
  *reinterpret_cast<volatile word*>(0xFFFFFFF0u) = 1;
}

void attack() {
  kernel::create(kernel::describe(3, fail, child_stack, reinterpret_cast<const char*>(secret + 1)));
  kernel::sleep(baton::milliseconds(3));
}

int main() {
  secret[1] = 0x54455243;  // "CRET"
  secret[2] = 0;
  return run_attack();
}
