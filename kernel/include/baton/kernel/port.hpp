// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/types.hpp>
#include <baton/kernel_port.hpp>

/// The contract between the kernel and a port, in two headers that exactly one port on a program's
/// include path supplies. The context in parentheses says who calls.
///
/// The kernel itself is a state machine: a call is a function over the table of tasks that returns
/// the task that runs next (null: none, so the port idles), and the port performs the switch. A
/// port enters the kernel with one call at a time.
///
/// `<baton/kernel_port.hpp>` defines `struct baton::kernel_port`, on which the kernel builds:
///   - `context`: the saved state of a task that does not run: a stack pointer, and all else that
///     the processor needs; default constructible.
///   - `request`: the six fields `first second out_length in in_length` (words) and `timeout` (a
///     tick), in the order in which the port saves them. It lies in the task's memory, in the frame
///     of its trap if there is one, until the call has ended. Results are written to `first`
///     and `second`, and those of a receive to `out_length`, too.
///   - BATON_KERNEL_MEMORY, BATON_TASK_MEMORY: macros before an object, which tasks without
///     privileges then cannot touch; such a task may give the latter to a child as its stack.
///   - BATON_KEPT_MEMORY: a macro before an object, which a reset leaves alone; optional, for ports
///     of bare machines.
///   - `protects_memory`: constant; tasks cannot access memory that is not theirs. A port whose
///     tasks can derives from `kernel::spi::unprotected`, which is this and the tests below.
///   - `may_be_stack(address, bytes)`, `is_program(entry, name)`: true if a task without privileges
///     may give these to a child: memory for tasks, which no other task can write, because the
///     kernel reads a waiting task's request there; code, and a name that is null or a constant
///     text of at most `longest_task_name` characters (in the kernel).
///   - `is_reach(reach)`, `may_give(const context&, reach)`, in a program with
///     BATON_PRIVATE_MEMORY: true if the port can protect memory by these borders, which depend on
///     the processor; and if a task without privileges may touch all of that itself, so that its
///     child may (in the kernel). `prepare` puts what the port switches into the context.
///   - `alignment_of_piece(bytes)`, `why_not(description)`, `guards_stack_of(const context&)`,
///     `private_register(address)`: in such a program, too, and optional. The alignment of memory
///     that one private task has for itself, or that some share; else that of a stack. Why the port
///     cannot keep this task private: a stack that is no piece, or too many such tasks (in the
///     kernel, before the first change). True if the processor finds an overflow of this task's
///     stack, though `guards_stacks` is false. Where the running private task finds a register of
///     its device.
///   - `guards_stacks`: constant; the processor finds a stack overflow itself. false: the kernel
///     looks at a guard word at each wait.
///   - `least_stack`: constant, bytes.
///   - `alignment_of_stack(bytes)`, `is_stack_size(bytes)`: the alignment of a stack of this size,
///     and whether the port can use the size; constant expressions.
///   - `prepare(context&, const task_description&)`: makes the context of a task that begins with
///     `entry(argument)`. When that returns, the task calls `exit` (in the kernel).
///   - `masks_interrupts`, `window()`: whether a call of the kernel masks interrupts from its first
///     instruction to its last, and what lets those in that wait, for a moment. Attention, which
///     they may raise, is handled after the call. Nothing while no kernel runs (in the kernel). A
///     port whose kernel interrupts interrupt derives from `kernel::spi::interruptible`.
///   - `copy(to, from, bytes)`: copies a message of any length and alignment (in the kernel).
///   - `may_access(const context&, address, bytes, writes)`: true if the task may access the
///     memory. 0 bytes it may access anywhere; more than `longest_message`, or any at null, nowhere
///     (in the kernel).
///   - `alarm(due)`: as core's `port::alarm`, and beside it: the port raises attention for the
///     alarm that is due first (in the kernel).
///
/// `<baton/kernel_switch.hpp>` defines `struct baton::kernel_switch`; it may include all of
/// `<baton/kernel/dispatch.hpp>`:
///   - `call<N>(first, second, out_length, in, in_length, timeout)`: the running task enters the
///     kernel by `enter<N>(kernel_state, request)`, then the port switches to the task that this
///     returns. The call returns the answer when the caller runs again (a task).
///   - `call_out<N>(first, second, out_length)`, `call_in<N>(in, in_length, timeout)`: the same
///     where the other fields do not matter (a task).
///     A port whose trap finds the function by number calls `enter_linked`, and has
///     `spi::link_call<N>` in each of these three.
///   - `run(kernel_state&)`: runs tasks, sleeping by `port::idle()` while none is ready, until
///     `kernel_state::stopping`; in virtual time also until nothing can ever happen. Adds the time
///     asleep to `kernel_state::idle_ticks` (main).
///   - `say_fault`: a `fault_listener` that prints a task's fault; null if the port has no place
///     for it (in the kernel).
///
/// Interrupts: after `port::attention` was raised, the port soon calls
/// `handle_pending(kernel_state)`, and runs the task that it returns. If the interrupt came while a
/// task ran, this happens before any task goes on; on a host it happens only at kernel calls and at
/// virtual interrupts. Faults: at an access violation or a stack overflow of a task, the port calls
/// `fail(kernel_state, fault, address, registers)`, which ends the task and returns the task that
/// runs next; the registers are for the report on its end, and may be left out.
