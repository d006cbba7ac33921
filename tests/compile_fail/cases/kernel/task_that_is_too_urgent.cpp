// SPDX-License-Identifier: MIT
// error: a task's level is above 30
#include <baton/kernel.hpp>
#include <baton/kernel/task_table.hpp>

using namespace baton::kernel;

#if FAILS
struct one : fixed_task<31, 65536> {
  static const char* name() { return "one"; }
  static void run();
};
#else
struct one : fixed_task<30, 65536> {
  static const char* name() { return "one"; }
  static void run();
};
#endif

task_table<one>::stacks stacks;
fixed_system<task_table<one>> program(stacks);
