// SPDX-License-Identifier: MIT
// A reply that comes after the client's timeout answers the client's next question, and both calls
// report success.
// Issue: Kernel.
#include "reproduction.hpp"

BATON_KERNEL_MEMORY static kernel::system<3, 8, 4> the_kernel;
BATON_KERNEL_MEMORY static kernel::stack<stack_bytes> server_stack, client_stack;
static kernel::tid server;

// Answers a question with itself, the first when the second has come.
static void serve(void*) {
  char first = 0, second = 0;
  const kernel::received one = kernel::receive(&first, 1);
  const kernel::received other = kernel::receive(&second, 1);
  kernel::reply(one.from, &first, 1);
  kernel::reply(other.from, &second, 1);
  kernel::receive(nullptr, 0);
}

static void ask(void*) {
  char answer = 0;
  kernel::send(server, "1", 1, &answer, 1, baton::milliseconds(2));
  const kernel::ipc_result second = kernel::send(server, "2", 1, &answer, 1, baton::milliseconds(50));
  expect(!second || answer == '2', "the answer is that of the question");
  finish();
}

int main() {
  baton::board::start();
  server = the_kernel.create(kernel::describe(5, serve, server_stack, "server")).id;
  the_kernel.create(kernel::describe(4, ask, client_stack, "client"));
  the_kernel.run();
  return 2;
}
