// SPDX-License-Identifier: MIT
//
// As kernel, with the console line that names a task that has failed. The difference is the size of
// that line's code.
#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<2, 4, 1> tasks;

int main() {
  start();
  tasks.create(kernel::describe(1, ask, client_stack, "client"));
  tasks.run();
}
