// SPDX-License-Identifier: MIT
//
// A task fails, in its own code or by a buffer that it gives the kernel, which may touch that while
// another task runs: the last line names it, and the process ends by the signal. A signal that
// somebody sends names no task, and ends the process, too.
#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <signal.h>
#include <string.h>

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

void receive_nothing_there(void*) {
  kernel::receive(reinterpret_cast<void*>(nowhere), 8);
}

void send(void*) {
  kernel::send(receiver, "message", 8, nullptr, 0);
}

void send_signal(void*) {
  raise(SIGSEGV);
}

struct way {
  const char* name;
  void (*receives)(void*);
  const char* receiver;
  void (*sends)(void*);
  const char* sender;
};
const way ways[] = {{"", receive, "receiver", write_nowhere, "faulty"},
                    {"send", receive, "receiver", send_nothing_there, "faulty"},
                    {"receive", receive_nothing_there, "faulty", send, "sender"},
                    {"signal", receive, "receiver", send_signal, "sender"}};

}  // namespace

int main(int count, char** words) {
  baton::board::start();
  for (const way& w : ways) {
    if (strcmp(w.name, count > 1 ? words[1] : "") != 0) continue;
    receiver = the_kernel.create(kernel::describe(2, w.receives, stacks[0], w.receiver)).id;
    the_kernel.create(kernel::describe(1, w.sends, stacks[1], w.sender));
    the_kernel.run();
  }
  return 0;
}
