// SPDX-License-Identifier: MIT
// create() paints a stack where there is no memory: the fault is the kernel's, and the board ends.
// Issue: Kernel.
#include "attack.hpp"

void attack() {
  const kernel::task_description nowhere{3,    be_idle, nullptr, reinterpret_cast<void*>(0x60000000u),
                                         1024, "child", false};
  kernel::create(nowhere);
}

int main() {
  return run_attack();
}
