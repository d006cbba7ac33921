// SPDX-License-Identifier: MIT
//
// A client and its server, which main makes: what kernel_two_fixed has by a table.
#include "kernel_two.hpp"

BATON_KERNEL_MEMORY static kernel::system<2, 3, 1> tasks(nullptr);
BATON_KERNEL_MEMORY static two_stack server_stack, client_stack;
static kernel::tid server;

static void serve(void*) {
  echo();
}
static void ask(void*) {
  ask(server);
}

int main() {
  start();
  server = tasks.create(kernel::describe(2, serve, server_stack, "server")).id;
  tasks.create(kernel::describe(1, ask, client_stack, "client"));
  tasks.run();
}
