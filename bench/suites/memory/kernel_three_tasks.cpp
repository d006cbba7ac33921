// SPDX-License-Identifier: MIT
//
// As kernel, with a third task, which only works. The difference is the size of a task.
#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<3, 4, 1> tasks(nullptr);
BATON_KERNEL_MEMORY static task_stack worker_stack;

static void toil(void*) {
  for (;;) {
    work = 3;
    kernel::sleep(baton::ticks(10));
  }
}

int main() {
  start();
  tasks.create(kernel::describe(1, ask, client_stack, "client"));
  tasks.create(kernel::describe(1, toil, worker_stack, "worker"));
  tasks.run();
}
