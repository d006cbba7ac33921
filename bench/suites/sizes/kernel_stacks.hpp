// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/measure.hpp>
#include <baton/kernel.hpp>
#include <baton/kernel/task_table.hpp>

// The most stack that a task uses which does nothing but a call of the kernel, with its message of
// 4 bytes. No interrupt comes: nothing has started the clock. For the suite sizes.

namespace suite_sizes {

namespace kernel = baton::kernel;

constexpr kernel::word measured_stack = 1024;

struct server : kernel::fixed_task<1, measured_stack> {
  static const char* name() { return "server"; }
  static void run() {
    uint32_t value = 0;
    kernel::received m = kernel::receive(&value, sizeof value);
    for (;;) m = kernel::reply_receive(m.client, &value, sizeof value, &value, sizeof value);
  }
};

struct client : kernel::fixed_privileged_task<0, measured_stack, kernel::talks_to<server>> {
  static const char* name() { return "client"; }
  static void run();
};

using table = kernel::task_table<server, client>;
BATON_KERNEL_MEMORY static table::stacks stacks;
BATON_KERNEL_MEMORY static kernel::fixed_system<table> tasks(stacks, nullptr);

inline void client::run() {
  uint32_t value = 7;
  kernel::send(table::to<client, server>(), &value, sizeof value, &value, sizeof value);
  tasks.stop();
  for (;;) kernel::yield();
}

inline uint32_t used_by(kernel::tid id) {
  kernel::task_report r;
  kernel::report(tasks, *tasks.at(id), r);
  return r.stack_used;
}

inline void print_stacks() {
  tasks.run();
  baton::bench::print_size(
      baton::bench::row(BATON_TEXT("sizes"), BATON_TEXT("kernel::stack_of_server"), BATON_TEXT(""), 1),
      used_by(table::id<server>()));
  baton::bench::print_size(
      baton::bench::row(BATON_TEXT("sizes"), BATON_TEXT("kernel::stack_of_client"), BATON_TEXT(""), 1),
      used_by(table::id<client>()));
}

}  // namespace suite_sizes
