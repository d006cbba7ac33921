// SPDX-License-Identifier: MIT
//
// The kernel with all its calls, and two tasks that make them, with 512 bytes of stack each.
#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<2, 4, 1> tasks(nullptr);

int main() {
  start();
  tasks.create(kernel::describe(1, ask, client_stack, "client"));
  tasks.run();
}
