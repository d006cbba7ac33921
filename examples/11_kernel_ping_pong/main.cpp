// SPDX-License-Identifier: MIT
//
// Two tasks with a stack each. One sends a ball and waits for its return; the other receives the
// ball, and replies. The sender has the lower priority: the receiver runs as soon as it has a ball.
#include <baton/board.hpp>
#include <baton/kernel.hpp>

#include "../support/tasks.hpp"

struct ball {
  uint8_t count;
};
using table = kernel::protocol<ball, ball>;  // the types of the request and the reply

BATON_KERNEL_MEMORY kernel::system<2> program;
BATON_KERNEL_MEMORY task_stack first_stack, second_stack;
kernel::tid ponger;

void pong(void*) {
  ball b;
  kernel::received m = table::receive(b);
  for (;;) {
    say("  pong ", b.count);
    ++b.count;
    m = table::reply_receive(m.client, b, b);
  }
}

void ping(void*) {
  ball b = {1};
  while (b.count < 10) {
    say("ping ", b.count);
    const ball sent = b;
    table::call(ponger, sent, b);
    ++b.count;
  }
  program.stop();
}

int main() {
  baton::board::start();
  ponger = program.create(kernel::describe(2, pong, first_stack, "pong")).id;
  program.create(
      kernel::describe_privileged(1, ping, second_stack, "ping"));  // privileged, because it stops the kernel
  program.run();
  say("over");
  baton::board::finish(0);
}
