// SPDX-License-Identifier: MIT
//
// A task writes over the end of its stack; the port names it, and the other task goes on.
#include <baton/kernel.hpp>
#include <stdio.h>

namespace kernel = baton::kernel;

namespace {

kernel::system<2> program;
kernel::stack<16384> pump_stack, other_stack;

void pump(void*) {
  pump_stack.words[0] = 1;
  kernel::sleep(baton::milliseconds(1));
  fprintf(stderr, "it went on\n");
}

void other(void*) {
  kernel::sleep(baton::milliseconds(2));
  fprintf(stderr, "the other goes on\n");
}

}  // namespace

int main() {
  program.create(kernel::describe(1, pump, pump_stack, "pump"));
  program.create(kernel::describe(1, other, other_stack, "other"));
  program.run();
  return 0;
}
