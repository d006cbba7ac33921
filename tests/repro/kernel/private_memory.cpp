// SPDX-License-Identifier: MIT
// A task's only memory of its own is its stack: another task writes its variables.
// Issue: Kernel.
#include "attack.hpp"

BATON_TASK_MEMORY static kernel::stack<stack_bytes> child_stack;

static volatile word of_victim = 1;

static void look_later(void*) {
  kernel::sleep(baton::milliseconds(2));
  expect(of_victim == 1, "the variable of another task is as it was");
}

void attack() {
  kernel::create(kernel::describe(4, look_later, child_stack, "victim"));
  of_victim = 666;
}

int main() {
  return run_attack();
}
