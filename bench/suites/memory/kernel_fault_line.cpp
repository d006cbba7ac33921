// SPDX-License-Identifier: MIT
//
// The same, and the line that says on the console which task has failed: what it is more than `kernel` is what that line takes.
#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<2, 4, 1> tasks;

int main() {
  start();
  tasks.create(kernel::describe(1, ask, client_stack, "client"));
  tasks.run();
}
