// SPDX-License-Identifier: MIT
//
// As kernel, with a call that ends a client's wait with an error code.
#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<2, 4, 1> tasks(nullptr);

namespace {

void end_by_an_error(kernel::tid) {
  work = static_cast<int>(kernel::reply_error(kernel::reply_token{static_cast<kernel::word>(work)}, 1).raw());
}

}  // namespace

int main() {
  start();
  tasks.create(kernel::describe(1, ask_and<end_by_an_error>, client_stack, "client"));
  tasks.run();
}
