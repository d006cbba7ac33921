// SPDX-License-Identifier: MIT
//
// A client and its server in a table, which the compiler checks; there is no create.
#include <baton/kernel/task_table.hpp>

#include "kernel_two.hpp"

struct server : kernel::fixed_task<2, sizeof(two_stack)> {
  static const char* name() { return "server"; }
  static void run() { echo(); }
};
struct client : kernel::fixed_task<1, sizeof(two_stack), kernel::talks_to<server>> {
  static const char* name() { return "client"; }
  static void run();
};
using table = kernel::task_table<server, client>;

void client::run() {
  ask(table::to<client, server>());
}

BATON_KERNEL_MEMORY static table::stacks stacks;
BATON_KERNEL_MEMORY static kernel::fixed_system<table> tasks(stacks, nullptr);

int main() {
  start();
  tasks.run();
}
