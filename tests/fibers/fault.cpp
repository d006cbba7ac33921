// SPDX-License-Identifier: MIT
//
// A task fails, in its own code or by a buffer that it gives the kernel: the last line names it,
// and the process ends by the signal.
#include <baton/board.hpp>
#include <baton/kernel.hpp>

namespace kernel = baton::kernel;

namespace {

volatile uintptr_t nowhere = 16;
kernel::system<3> the_kernel;
kernel::stack<8 * baton::kernel_port::least_stack> stacks[2];
kernel::tid receiver;

void write_nowhere(void*) {
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

void send_nothing_there(void*) {
  kernel::send(receiver, reinterpret_cast<void*>(nowhere), 8, nullptr, 0);
}

void receive(void*) {
  char message[8];
  kernel::receive(message, sizeof message);
}

}  // namespace

int main(int count, char**) {
  baton::board::start();
  receiver = the_kernel.create(kernel::describe(2, receive, stacks[0], "receiver")).id;
  the_kernel.create(kernel::describe(1, count > 1 ? send_nothing_there : write_nowhere, stacks[1], "faulty"));
  the_kernel.run();
  return 0;
}
