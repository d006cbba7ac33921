// SPDX-License-Identifier: MIT
// A task is not told that its child has ended.
// Issue: Kernel.
#include "reproduction.hpp"

BATON_KERNEL_MEMORY static kernel::system<4, 8, 4> the_kernel;
BATON_KERNEL_MEMORY static kernel::stack<stack_bytes> parent_stack, child_stack;

static void end_later(void*) {
  kernel::sleep(baton::milliseconds(2));
}

static void supervise(void*) {
  kernel::create(kernel::describe(3, end_later, child_stack, "child"));
  const kernel::notifications told = kernel::wait_notification(~word{0}, baton::milliseconds(20));
  expect(static_cast<bool>(told), "a notification tells of the child's end");
  finish();
}

int main() {
  baton::board::start();
  the_kernel.create(kernel::describe(5, supervise, parent_stack, "parent"));
  the_kernel.run();
  return 2;
}
