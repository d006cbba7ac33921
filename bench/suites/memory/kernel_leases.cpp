// SPDX-License-Identifier: MIT
//
// As kernel, with the three calls that lend memory to a server, and copy from and to it.
#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<2, 4, 1> tasks(nullptr);

namespace {

void lend(kernel::tid server) {
  int lent = 0, got = 0;
  const kernel::reply_token client{static_cast<kernel::word>(work)};
  work = static_cast<int>(
      kernel::send_lending(server, &got, sizeof got, &got, sizeof got, {kernel::lend(&lent, sizeof lent)}).length());
  work = static_cast<int>(kernel::copy_from(client, 0, 0, &got, sizeof got).length());
  work = static_cast<int>(kernel::copy_to(client, 0, 0, &got, sizeof got).length());
}

}  // namespace

int main() {
  start();
  tasks.create(kernel::describe(1, ask_and<lend>, client_stack, "client"));
  tasks.run();
}
