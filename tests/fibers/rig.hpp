// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel.hpp>
#include <baton/test/check.hpp>

namespace kernel = baton::kernel;

/// A system of three slots and their stacks. Each test case has its own.
struct rig {
  kernel::created begin(kernel::priority priority, void (*entry)(void*), const char* name, void* argument = nullptr) {
    return system.create(kernel::describe(priority, entry, stacks[begun++], name, argument));
  }

  kernel::system<3> system;
  kernel::stack<65536> stacks[3];
  int begun = 0;
};
