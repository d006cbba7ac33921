// SPDX-License-Identifier: MIT
// When a task has ended, its parent cannot end its children.
// Issue: Kernel.
#include "reproduction.hpp"

BATON_KERNEL_MEMORY static kernel::system<4, 8, 4> the_kernel;
BATON_KERNEL_MEMORY static kernel::stack<stack_bytes> grandparent_stack, parent_stack, child_stack;
static kernel::tid child;

static void be_idle(void*) {
  kernel::receive(nullptr, 0);
}

static void make_child(void*) {
  child = kernel::create(kernel::describe(3, be_idle, child_stack, "child")).id;
}

static void end_child(void*) {
  kernel::create(kernel::describe(4, make_child, parent_stack, "parent"));
  kernel::sleep(baton::milliseconds(2));
  expect(static_cast<bool>(kernel::kill(child)), "the grandparent ends the child");
  finish();
}

int main() {
  baton::board::start();
  the_kernel.create(kernel::describe(5, end_child, grandparent_stack, "grandparent"));
  the_kernel.run();
  return 2;
}
