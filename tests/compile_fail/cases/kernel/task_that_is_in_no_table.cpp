// SPDX-License-Identifier: MIT
// error: names a task that is not in the table
#include <baton/kernel.hpp>
#include <baton/kernel/task_table.hpp>

using namespace baton::kernel;

struct server : fixed_task<2, 65536> {
  static const char* name() { return "server"; }
  static void run();
};
struct client : fixed_task<1, 65536, talks_to<server>> {
  static const char* name() { return "client"; }
  static void run();
};

#if FAILS
task_table<client>::stacks stacks;
fixed_system<task_table<client>> program(stacks);
#else
task_table<client, server>::stacks stacks;
fixed_system<task_table<client, server>> program(stacks);
#endif
