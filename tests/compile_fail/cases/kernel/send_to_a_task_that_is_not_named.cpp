// SPDX-License-Identifier: MIT
// error: the task may not send to that one
#include <baton/kernel.hpp>
#include <baton/kernel/task_table.hpp>

using namespace baton::kernel;

struct server : fixed_task<2, 65536> {
  static const char* name() { return "server"; }
  static void run();
};
struct stranger : fixed_task<1, 65536> {
  static const char* name() { return "stranger"; }
  static void run();
};
struct client : fixed_task<1, 65536, talks_to<server>> {
  static const char* name() { return "client"; }
  static void run();
};

using all = task_table<server, stranger, client>;
#if FAILS
constexpr tid to = all::to<stranger, server>();
#else
constexpr tid to = all::to<client, server>();
#endif
static_assert(to != no_task, "an id");
