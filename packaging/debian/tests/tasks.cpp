// SPDX-License-Identifier: MIT
//
// Two tasks of the kernel: one asks, the other replies.
#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <stdio.h>

namespace kernel = baton::kernel;
static kernel::system<2> tasks;
static kernel::stack<65536> stacks[2];
static kernel::tid server;

static void serve(void*) {
  int n;
  kernel::received m = kernel::receive(&n, sizeof n);
  while (m) m = kernel::reply_receive(m.client, &n, sizeof n, &n, sizeof n);
}

static void ask(void*) {
  for (int n = 0; n < 3; ++n) {
    kernel::sleep(baton::milliseconds(1));
    int reply = 7;
    if (kernel::send(server, &n, sizeof n, &reply, sizeof reply)) printf("%d ", reply);
  }
  tasks.stop();
}

int main() {
  baton::board::start();
  server = tasks.create(kernel::describe(2, serve, stacks[0], "server")).id;
  tasks.create(kernel::describe(1, ask, stacks[1], "client"));
  tasks.run();
  return 0;
}
