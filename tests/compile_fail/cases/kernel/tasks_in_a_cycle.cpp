// SPDX-License-Identifier: MIT
// error: tasks would send to each other in a cycle
#include <baton/kernel.hpp>
#include <baton/kernel/task_table.hpp>

using namespace baton::kernel;

struct first;
struct second : fixed_task<2, 65536, talks_to<first>> {
  static const char* name() { return "second"; }
  static void run();
};
#if FAILS
struct first : fixed_task<1, 65536, talks_to<second>> {
  static const char* name() { return "first"; }
  static void run();
};
#else
struct first : fixed_task<1, 65536> {
  static const char* name() { return "first"; }
  static void run();
};
#endif

task_table<first, second>::stacks stacks;
fixed_system<task_table<first, second>> program(stacks);
