// SPDX-License-Identifier: MIT
// A kernel call masks interrupts from its first instruction to its last, and its cost has no bound.
// Issue: Kernel.
#include <baton/board_meter.hpp>

#include "reproduction.hpp"

BATON_KERNEL_MEMORY static kernel::system<200, 31, 4> the_kernel;
BATON_KERNEL_MEMORY static kernel::stack<2048> asking_stack, server_stack, child_stack;
BATON_KERNEL_MEMORY static kernel::stack<65536> large_stack;
static char from[65540], to[65540];

static void serve(void*) {
  kernel::received m = kernel::receive(to + 1, 65535);
  for (;;) m = kernel::reply_receive(m.client, nullptr, 0, to + 1, 65535);
}

static void be_idle(void*) {
  kernel::receive(nullptr, 0);
}

static void ask(void*) {
  using baton::board::meter;
  const kernel::tid server = kernel::create(kernel::describe(7, serve, server_stack, "server")).id;
  kernel::send(server, from, 1, nullptr, 0);
  meter::start();
  kernel::send(server, from + 2, 65535, nullptr, 0);
  meter::stop();
  meter::start();
  const kernel::tid large = kernel::create(kernel::describe(0, be_idle, large_stack, "large")).id;
  meter::stop();
  kernel::task_report report;
  meter::start();
  kernel::inspect(static_cast<uint8_t>(large & 0xff), report);
  meter::stop();
  const kernel::tid child = kernel::create(kernel::describe(2, be_idle, child_stack, "child")).id;
  kernel::sleep(baton::milliseconds(1));
  meter::start();
  kernel::kill(child);
  meter::stop();
  // The runner puts the counts of instructions in.
  put("baton-bench/1 iterations=1 send=#0 create=#1 inspect=#2 kill=#3\n");
  finish();
}

int main() {
  baton::board::start();
  the_kernel.create(kernel::describe(5, ask, asking_stack, "asks"));
  the_kernel.run();
  return 2;
}
