// SPDX-License-Identifier: MIT
#pragma once

#include "reproduction.hpp"

// A task without privileges attacks: it has to get an error code, or to end. A privileged task runs
// every millisecond and has to go on for ten of them; then the program ends well.

/// The attacker must not reach this memory.
BATON_KERNEL_MEMORY static word secret[8];

/// Does the harm.
void attack();

alignas(128) BATON_KERNEL_MEMORY static kernel::system<4, 31, 32> the_kernel;
BATON_KERNEL_MEMORY static kernel::stack<stack_bytes> beat_stack, attacker_stack;

/// Waits for ever.
inline void be_idle(void*) {
  kernel::receive(nullptr, 0);
}

inline int run_attack() {
  baton::board::start();
  secret[0] = 0x600d;
  const auto beat = [](void*) {
    for (int i = 0; i < 10; ++i) kernel::sleep(baton::milliseconds(1));
    expect(secret[0] == 0x600d, "the kernel's memory is as it was");
    finish();
  };
  const auto attacker = [](void*) {
    attack();
    be_idle(nullptr);
  };
  the_kernel.create(kernel::describe_privileged(6, beat, beat_stack, "beat"));
  the_kernel.create(kernel::describe(4, attacker, attacker_stack, "attacker"));
  the_kernel.run();
  return 1;
}
