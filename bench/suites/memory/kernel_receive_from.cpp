// SPDX-License-Identifier: MIT
//
// As kernel, with a call that receives from one task.
#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<2, 4, 1> tasks(nullptr);

namespace {

void receive_from_one(kernel::tid server) {
  int got = 0;
  work = static_cast<int>(kernel::receive_from(server, &got, sizeof got, baton::ticks(1)).length()) + got;
}

}  // namespace

int main() {
  start();
  tasks.create(kernel::describe(1, ask_and<receive_from_one>, client_stack, "client"));
  tasks.run();
}
