// SPDX-License-Identifier: MIT
//
// A supervisor feeds the board's watchdog. It restarts a task that sends no heartbeat, and the
// watchdog hears nothing of that. When a task that is more urgent than the supervisor never waits,
// nobody feeds the watchdog, which resets the chip: the second start sees how far the first came.
#include <baton/board_watchdog.hpp>
#include <baton/kernel/supervisor.hpp>

#include "program.hpp"

using namespace supervision;
using baton::milliseconds;

namespace {

BATON_KERNEL_MEMORY kernel::system<4> the_kernel;
BATON_KERNEL_MEMORY kernel::end_reports<2> reports{the_kernel};
BATON_KERNEL_MEMORY kernel::stack<1024> supervisor_stack;
BATON_KERNEL_MEMORY kernel::stack<512> hog_stack;
BATON_TASK_MEMORY kernel::stack<512> worker_stack;

BATON_KEPT_MEMORY volatile uint32_t mark, starts, restarts, reached;
constexpr uint32_t was_here = 0x5eed1e55;

/// Sends heartbeats for half a second, which the watchdog would not last, and then none.
void work(void*) {
  const kernel::tid supervisor = kernel::parent();
  starts = starts + 1;
  for (int i = 0; i < 10; ++i) {
    kernel::sleep(milliseconds(50));
    kernel::send_heartbeat(supervisor, 0);
  }
  for (;;) kernel::yield();
}

void hear(const kernel::end_report& r) {
  restarts = restarts + (r.how == kernel::ending::killed);
}

void supervise(void*) {
  kernel::supervisor<1> of{kernel::restart_scope::one};
  of.on_end(&hear);
  of.feed_watchdog(&baton::board::watchdog::feed, milliseconds(200));
  of.add(kernel::describe(2, work, worker_stack, "worker"), kernel::restart_when::on_failure, milliseconds(100));
  of.run();
}

void never_wait(void*) {
  kernel::sleep(milliseconds(1500));
  reached = was_here;
  for (;;) {
    reached = was_here;
  }
}

void first_start() {
  mark = was_here;
  starts = restarts = reached = 0;
  baton::board::watchdog::start(200);
  the_kernel.create(kernel::describe(3, supervise, supervisor_stack, "supervisor"));
  the_kernel.create(kernel::describe(5, never_wait, hog_stack, "hog"));
  the_kernel.run();
  check(false, "the watchdog resets the chip");
}

}  // namespace

int main() {
  baton::board::start();
  if (mark != was_here) {
    first_start();
  } else {
    check(reached == was_here, "the watchdog is fed until a task never waits");
    check(starts == 3 && restarts == 2, "a task without a heartbeat is restarted, twice in that time");
    mark = 0;
  }
  finish();
}
