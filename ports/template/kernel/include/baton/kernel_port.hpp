// SPDX-License-Identifier: MIT
#pragma once

// The kernel part of a port to start from. It compiles, and runs nothing: each place that says FILL
// IN does the least that compiles. Copy the folder; docs/porting.md gives the order of the steps.
// The contract is kernel/include/baton/kernel/port.hpp. ports/armv5 is an example with modes of the
// processor, ports/avr one without.

#include <baton/kernel/spi/unprotected.hpp>

/// The port's inline functions call these functions of ports/template/kernel/src/traps.cpp.
extern "C" {
void baton_template_kernel_alarm(baton::port::tick due);
void baton_template_task_returns();
}

namespace baton {

/// Tasks on FILL IN: in which mode they run, in which one the kernel runs, and by which instruction
/// they enter it.
///
/// Context  FILL IN which parts of the processor this port owns: a trap's vector, a timer's compare
///          unit.
/// Source   FILL IN the manuals and their sections: exceptions, calling convention.
///
/// `kernel::spi::unprotected` says that tasks may touch all memory. On a processor that protects
/// memory, FILL IN in its place what kernel/include/baton/kernel/port.hpp lists, as
/// ports/cortex_m/kernel does: the kernel then asks about each buffer, stack and name that a call
/// names, and the macros BATON_KERNEL_MEMORY and BATON_TASK_MEMORY put objects into sections where
/// unprivileged code faults.
struct kernel_port : kernel::spi::unprotected {
  /// The fields of a call, in the order in which their registers are saved, so that a trap's frame
  /// is the request and nothing is copied. It lives in the task's memory until the call has ended,
  /// which may take long. The kernel writes the results of the call to `first` and `second`, of a
  /// receive to `out_length`, too, which are then loaded as registers.
  struct request {
    kernel::word first;
    kernel::word second;
    kernel::word out_length;
    kernel::word in;
    kernel::word in_length;
    tick timeout;
  };

  /// The state of a task that does not run: only the stack pointer if registers are pushed to the
  /// task's stack, or all registers if a trap saves them here. It is default constructible and
  /// never moved: its address may be in a register while the task runs.
  struct context {
    kernel::word stack;  // FILL IN
  };

  /// True if the processor stops a task that writes below its stack. Otherwise the kernel tests the
  /// stack's lowest word whenever the task waits, which finds an overflow late and costs two loads.
  static constexpr bool guards_stacks = false;

  /// Bytes that a task needs to call the kernel and to be interrupted, and for nothing else;
  /// measure them with `task_report::stack_used`.
  static constexpr kernel::word least_stack = 256;  // FILL IN
  static constexpr kernel::word stack_alignment =
      8;  // FILL IN the alignment that the calling convention wants at a function's first instruction

  /// Returns more than `stack_alignment` if a stack is a region of a memory protection unit.
  static constexpr kernel::word alignment_of_stack(kernel::word) { return stack_alignment; }
  static constexpr bool is_stack_size(kernel::word bytes) { return bytes % stack_alignment == 0; }

  /// Makes the context of a task that has not run: `entry(argument)`, on the end of its stack, in
  /// the mode that `is_privileged` selects, with interrupts on. `entry` returns to a function that
  /// calls `exit`. The stack has been filled with a pattern before.
  static void prepare(context& c, const kernel::task_description& d) {
    c.stack = reinterpret_cast<kernel::word>(d.stack) + d.stack_bytes;  // FILL IN
    static_cast<void>(&baton_template_task_returns);
  }

  /// FILL IN: whether interrupts are masked in a call of the kernel. Then `window` lets those in
  /// that wait; they must not go on with a task.
  static constexpr bool masks_interrupts = false;
  static void window() {}

  /// Copies a message of any length, also 0, and of any alignment at either end, so a processor
  /// that needs aligned words has to test them. Most messages are short and aligned: one word
  /// deserves a branch of its own.
  static void copy(void* to, const void* from, kernel::word bytes) { __builtin_memcpy(to, from, bytes); }

  /// Sets an alarm as core's `port::alarm` does, and beside it: core's scheduler may run in a task
  /// and sets its own. Two compare units are best; with one, set it to the sooner of the two, and
  /// let the interrupt set it again for the other.
  static void alarm(tick due) { baton_template_kernel_alarm(due); }
};

}  // namespace baton
