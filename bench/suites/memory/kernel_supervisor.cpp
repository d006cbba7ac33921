// SPDX-License-Identifier: MIT
//
// As kernel_end_reports, with a third task, which supervises the other two and restarts them.
#include <baton/kernel/supervisor.hpp>

#include "kernel_tasks.hpp"

BATON_KERNEL_MEMORY static kernel::system<3, 4, 1> tasks(nullptr);
BATON_KERNEL_MEMORY static kernel::end_reports<4> reports(tasks);
BATON_KERNEL_MEMORY static task_stack supervisor_stack;

namespace {

void supervise(void*) {
  kernel::supervisor<1> of{kernel::restart_scope::one};
  of.add(kernel::describe(1, ask, client_stack, "client"), kernel::restart_when::always);
  work = of.run();
}

}  // namespace

int main() {
  start();
  tasks.create(kernel::describe_privileged(3, supervise, supervisor_stack, "supervisor"));
  tasks.run();
}
