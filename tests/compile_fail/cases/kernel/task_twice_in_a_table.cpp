// SPDX-License-Identifier: MIT
// error: a task is in the table twice
#include <baton/kernel.hpp>
#include <baton/kernel/task_table.hpp>

using namespace baton::kernel;

struct one : fixed_task<2, 65536> {
  static const char* name() { return "one"; }
  static void run();
};
struct other : fixed_task<1, 65536> {
  static const char* name() { return "other"; }
  static void run();
};

#if FAILS
task_table<one, other, one>::stacks stacks;
fixed_system<task_table<one, other, one>> program(stacks);
#else
task_table<one, other>::stacks stacks;
fixed_system<task_table<one, other>> program(stacks);
#endif
