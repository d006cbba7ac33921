// SPDX-License-Identifier: MIT
//
// The time that tasks run, by the kernel's count and by their own: a task that computes, a server
// that computes for its client, and one that waits. The last line is the verdict.
#include <baton/board.hpp>
#include <baton/core/print.hpp>
#include <baton/kernel.hpp>
#include <baton/kernel/print.hpp>

namespace {

using namespace baton::literals;
namespace kernel = baton::kernel;
using baton::tick;

constexpr kernel::word stack_bytes = baton::kernel_port::least_stack < 1024 ? 1024 : baton::kernel_port::least_stack;

BATON_KERNEL_MEMORY kernel::system<4, 4, 1> tasks;
BATON_KERNEL_MEMORY kernel::stack<stack_bytes> busy_stack, server_stack, client_stack, lister_stack;
kernel::tid server;
bool has_failed;

void check(bool holds, const char* what) {
  if (holds) return;
  has_failed = true;
  baton::print_line(baton::board::console{}, "missing: ", what);
}

/// Computes until so much time has passed, without a call of the kernel, which would look at the
/// time by itself.
void compute(baton::duration length) {
  const tick begin = baton::port::now();
  while (baton::port::now() - begin < length.ticks()) {
  }
}

void be_busy(void*) {
  kernel::sleep(100_ms);  // the others have done their work, and do not preempt it
  for (int n = 0; n != 4; ++n) {
    compute(5_ms);
    kernel::sleep(1_ms);
  }
  kernel::sleep(10000_ms);
}

void serve(void*) {
  kernel::received m = kernel::receive(nullptr, 0);
  for (;;) {
    compute(2_ms);
    m = kernel::reply_receive(m.client, nullptr, 0, nullptr, 0);
  }
}

void ask(void*) {
  for (int n = 0; n != 5; ++n) {
    compute(1_ms);
    kernel::send(server, nullptr, 0, nullptr, 0);
    kernel::sleep(7_ms);
  }
  kernel::sleep(10000_ms);
}

void list(void*) {
  kernel::sleep(300_ms);
  baton::board::console to;
  kernel::print_tasks(to);
  tasks.stop();
  kernel::sleep(10000_ms);
}

const kernel::task_report& report_of(uint8_t slot) {
  static kernel::task_report r;
  kernel::report(tasks, tasks.table[slot], r);
  return r;
}

}  // namespace

int main() {
  baton::board::start();
  server = tasks.create(kernel::describe_privileged(3, serve, server_stack, "server")).id;
  tasks.create(kernel::describe_privileged(2, ask, client_stack, "client"));
  tasks.create(kernel::describe_privileged(1, be_busy, busy_stack, "busy"));
  tasks.create(kernel::describe_privileged(0, list, lister_stack, "lister"));
  const tick begin = baton::port::now();
  tasks.run();
  const tick passed = baton::port::now() - begin;

  tick sum = tasks.idle_ticks;
  for (uint8_t slot = 0; slot != 4; ++slot) sum += report_of(slot).time.ran;
  check(sum <= passed, "the tasks and the idle time take no longer than all");
  check(report_of(0).time.ran >= (10_ms).ticks(), "the server has computed for 10 ms");
  check(report_of(1).time.ran >= (5_ms).ticks(), "the client has computed for 5 ms");
  check(report_of(2).time.ran >= (20_ms).ticks(), "the busy task has computed for 20 ms");
  check(report_of(2).time.ran < (200_ms).ticks(), "a wait takes none of a task's time");
  check(report_of(0).time.switches == 6, "the server was switched to at its start, and for each of 5 messages");
  check(report_of(1).time.switches == 11,
        "the client was switched to at its start, for each reply and behind each wait");
  check(report_of(2).time.switches == 6, "the busy task was switched to at its start and behind each wait");
  check(report_of(3).time.switches >= 2, "the lister was switched to at its start and after its wait");
  baton::print_line(baton::board::console{}, has_failed ? "verdict: bad" : "verdict: good");
  baton::board::finish(has_failed);
}
