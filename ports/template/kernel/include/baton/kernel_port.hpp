// SPDX-License-Identifier: MIT
#pragma once

// The kernel part of a port, to start from. It compiles, and runs nothing: each place that says FILL IN does the least that compiles.
// Copy the folder; docs/porting.md says in which order to go. The contract is kernel/include/baton/kernel/port.hpp. ports/armv5 is an
// example with modes of the processor, ports/avr one without.

#include <baton/kernel/types.hpp>

/// Where objects lie that tasks must not touch: a section that the linker script puts where unprivileged code faults. Empty where
/// nothing is protected.
#define BATON_KERNEL_MEMORY

/// ports/template/kernel/src/traps.cpp: what inline functions call.
extern "C" {
void baton_template_kernel_alarm(baton::port::tick due);
void baton_template_task_returns();
}

namespace baton {

/// Tasks on FILL IN: in which mode they run, in which one the kernel does, and how they come from one to the other.
///
/// Context  FILL IN what of the processor this port owns: a trap's vector, a timer's compare unit.
/// Source   FILL IN the manuals and their sections: exceptions, calling convention.
struct kernel_port {
  /// What a call says, in the order in which the registers that hold it are saved, so that a trap's frame is the request and
  /// nothing is copied. It lives in the task's memory until the call has ended, which may be long; the kernel writes what the call gives
  /// back to `first` and `second`, whence they are loaded as registers.
  struct request {
    kernel::word first;
    kernel::word second;
    kernel::word out_length;
    kernel::word in;
    kernel::word in_length;
    tick timeout;
  };

  /// What is kept of a task that does not run. The stack pointer alone where registers are pushed to the task's stack; all registers
  /// where a trap saves them here. Default constructible, and moved by nobody: its address may be in a register while the task runs.
  struct context {
    kernel::word stack;  // FILL IN
  };

  /// Whether `may_access` knows what a task may touch. Then the kernel asks it about each buffer that a call names.
  static constexpr bool protects_memory = false;

  /// Whether the processor stops a task that writes below its stack. Otherwise the kernel looks at the stack's lowest word
  /// whenever the task waits, which finds an overflow late and costs two loads.
  static constexpr bool guards_stacks = false;

  /// Bytes that a task needs that does nothing but call the kernel and be interrupted: measure it (`task_report::stack_used`).
  static constexpr kernel::word least_stack = 256;  // FILL IN
  static constexpr kernel::word stack_alignment =
      8;  // FILL IN what the calling convention wants at a function's first instruction

  /// More than `stack_alignment` where a stack is a region of a memory protection unit.
  static constexpr kernel::word alignment_of_stack(kernel::word) { return stack_alignment; }
  static constexpr bool is_stack_size(kernel::word bytes) { return bytes % stack_alignment == 0; }

  /// Makes the context of a task that has not run: `entry(argument)`, on the end of its stack, in the mode that `is_privileged` says, with
  /// interrupts on. Where `entry` returns to is a function that calls `exit`. The stack has been filled with a pattern before.
  static void prepare(context& c, const kernel::task_description& d) {
    c.stack = reinterpret_cast<kernel::word>(d.stack) + d.stack_bytes;  // FILL IN
    static_cast<void>(&baton_template_task_returns);
  }

  /// Copies a message. Any length, 0 among them; any alignment of either end, so a processor that wants words aligned has to look. Most
  /// messages are short and aligned: a word is worth a branch of its own.
  static void copy(void* to, const void* from, kernel::word bytes) { __builtin_memcpy(to, from, bytes); }

  /// Whether the task may read, or write, this memory. `bytes` is not 0 and may reach past the end of the address space.
  static bool may_access(const context&, const void*, kernel::word, bool) { return true; }

  /// As core's `port::alarm`, and beside it: core's scheduler may run in a task and sets its own. Two compare units are best; with one, set
  /// it to the sooner of the two, and let the interrupt set it again for the other.
  static void alarm(tick due) { baton_template_kernel_alarm(due); }
};

}  // namespace baton
