// SPDX-License-Identifier: MIT
//
// As kernel, with reports on the ends of tasks, four of which may wait.
#include <baton/kernel/end_reports.hpp>

#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<2, 4, 1> tasks(nullptr);
BATON_KERNEL_MEMORY static kernel::end_reports<4> reports(tasks);

namespace {

void hear(kernel::tid) {
  kernel::end_report r;
  if (kernel::take_end_report(r)) work = static_cast<int>(r.how);
}

}  // namespace

int main() {
  start();
  tasks.create(kernel::describe(1, ask_and<hear>, client_stack, "client"));
  tasks.run();
}
