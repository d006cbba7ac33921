// SPDX-License-Identifier: MIT
//
// What happens at a trap, at the end of an interrupt and at a fault. In each the task that was running is `kernel_state::running` on the way
// in, and whom the kernel returns goes on; null is main, which sleeps.
#include <baton/kernel/kernel_state.hpp>
#include <baton/kernel/syscalls.hpp>

using baton::port;
using baton::kernel::fault;
using baton::kernel::kernel_state;
using baton::kernel::request;
using baton::kernel::tcb;
using baton::kernel::word;

namespace {

kernel_state* running_kernel;

/// Saves what the trap has not saved of the running task, and loads all of `next`'s; main's, where it is null.
void go_on(tcb* next) {
  static_cast<void>(next);  // FILL IN
}

}  // namespace

extern "C" {

/// A task's call: interrupts masked, or on with a flag that says that the kernel runs. One call at a time.
__attribute__((used)) void baton_template_trap(word number, request& r) {
  tcb* self = running_kernel->running;
  tcb* next = baton::kernel::enter(*running_kernel, number, r);
  if (port::attention::raised()) next = baton::kernel::handle_pending(*running_kernel);
  if (next != self) go_on(next);
}

/// The end of each interrupt that came while a task ran. One that came while the kernel ran leaves attention raised, and the kernel looks
/// before it is left: with interrupts masked from that look until the task runs.
__attribute__((used)) void baton_template_interrupted() {
  if (!port::attention::raised()) return;
  tcb* self = running_kernel->running;
  tcb* next = baton::kernel::handle_pending(*running_kernel);
  if (next != self) go_on(next);
}

/// An exception of the processor's that the running task has caused. In the kernel or in main there is nobody to blame: halt.
__attribute__((used)) void baton_template_fault(word address) {
  go_on(baton::kernel::fail(*running_kernel, fault::bad_access, address));
}

/// Where a task's first function returns to.
void baton_template_task_returns() {
  baton::kernel::exit();
}

/// FILL IN: see `kernel_port::alarm`.
void baton_template_kernel_alarm(port::tick due) {
  static_cast<void>(due);
}

/// FILL IN: install the traps here, not in core's start: programs without a kernel do not hold them.
void baton_template_run(kernel_state& m) {
  running_kernel = &m;
  port::start();
  baton::kernel::run_until_stopped(m, [&m] {
    if (tcb* next = baton::kernel::handle_pending(m))
      go_on(next);  // comes back when no task is ready, or the kernel is to stop
  });
}

}  // extern "C"
