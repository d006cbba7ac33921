// SPDX-License-Identifier: MIT
//
// Handles a trap, the end of an interrupt, and a fault. In each of them the task that was running
// is `kernel_state::running` on the way in, and the task that the kernel returns goes on; null is
// main, which sleeps.
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

/// Saves the registers of the running task that the trap has not saved, and loads all of `next`'s,
/// or main's if it is null.
void go_on(tcb* next) {
  static_cast<void>(next);  // FILL IN
}

}  // namespace

extern "C" {

/// Handles a task's call, with interrupts masked, or with interrupts on and a flag that says that
/// the kernel runs. There is one call at a time.
__attribute__((used)) void baton_template_trap(word number, request& r) {
  tcb* self = running_kernel->running;
  tcb* next = baton::kernel::enter(*running_kernel, number, r);
  if (port::attention::raised()) next = baton::kernel::handle_pending(*running_kernel);
  if (next != self) go_on(next);
}

/// Runs at the end of each interrupt that came while a task ran. An interrupt that came while the
/// kernel ran leaves attention raised, and the kernel tests it on the way out, with interrupts
/// masked from that test until the task runs.
__attribute__((used)) void baton_template_interrupted() {
  if (!port::attention::raised()) return;
  tcb* self = running_kernel->running;
  tcb* next = baton::kernel::handle_pending(*running_kernel);
  if (next != self) go_on(next);
}

/// Handles an exception of the processor that the running task has caused. An exception in the
/// kernel or in main has no task to end: halt.
__attribute__((used)) void baton_template_fault(word address) {
  go_on(baton::kernel::fail(*running_kernel, fault::bad_access, address));
}

/// A task's first function returns here.
void baton_template_task_returns() {
  baton::kernel::exit();
}

/// FILL IN: see `kernel_port::alarm`.
void baton_template_kernel_alarm(port::tick due) {
  static_cast<void>(due);
}

/// FILL IN: install the traps here, not in core's start: programs without a kernel do not hold
/// them.
void baton_template_run(kernel_state& m) {
  running_kernel = &m;
  port::start();
  baton::kernel::run_until_stopped(m, [&m] {
    if (tcb* next = baton::kernel::handle_pending(m))
      go_on(next);  // returns when no task is ready, or the kernel is to stop
  });
}

}  // extern "C"
