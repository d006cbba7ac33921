// SPDX-License-Identifier: MIT
// A task that fails on Linux ends the program, and no message names the task.
// Issue: Kernel.
#include "reproduction.hpp"

static kernel::system<2, 8, 4> the_kernel;
static kernel::stack<stack_bytes> faulty_stack;

static void fail(void*) {
  *reinterpret_cast<volatile word*>(16) = 1;
}

int main() {
  baton::board::start();
  the_kernel.create(kernel::describe(5, fail, faulty_stack, "faulty"));
  the_kernel.run();
  return 0;
}
