// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/types.hpp>
#include <baton/kernel_port.hpp>

/// What the kernel asks of a port, in two headers that exactly one port on a program's include path supplies. The kernel itself
/// is a state machine: a call is a function over the table of tasks that returns which of them runs next (null: none, so
/// the port idles), and the port performs the switch. A port enters the kernel one call at a time.
///
/// `<baton/kernel_port.hpp>`: `struct baton::kernel_port`, which the kernel builds on.
///
/// | member | contract | context |
/// | --- | --- | --- |
/// | `context` | what is kept of a task that does not run: a stack pointer, and whatever else the machine needs; default constructible | - |
/// | `request` | six fields `first second out_length in in_length` (words) and `timeout` (a tick), in the order that the port saves them; it lives in the task's memory, in the frame of its trap if there is one, until the call has ended. Results are written to `first` and `second` | - |
/// | `protects_memory` | constant: tasks cannot touch what is not theirs, and `may_access` says so | - |
/// | `guards_stacks` | constant: the machine finds a stack overflow itself. false: the kernel looks at a guard word at each wait | - |
/// | `least_stack`, `stack_alignment` | constants, bytes | - |
/// | `prepare(context&, const task_description&)` | makes the context of a task that begins with `entry(argument)`; when that returns, the task calls `exit` | in the kernel |
/// | `copy(to, from, bytes)` | copies a message: any length, any alignment | in the kernel |
/// | `may_access(const context&, address, bytes, writes)` | whether the task may; only where `protects_memory`. No bytes it may, anywhere; more than `longest_message`, or at null, nowhere | in the kernel |
/// | `alarm(due)` | as core's `port::alarm`, and beside it: the port raises attention for whichever is due | in the kernel |
///
/// `<baton/kernel_switch.hpp>`: `struct baton::kernel_switch`, which may include all of `<baton/kernel/dispatch.hpp>`.
///
/// | member | contract | context |
/// | --- | --- | --- |
/// | `call<N>(first, second, out_length, in, in_length, timeout)` | the running task enters the kernel: `enter(kernel_state, N, request)`, then a switch to the task that it returns; comes back with the answer when this task runs again | a task |
/// | `call_out<N>(first, second, out_length)`, `call_in<N>(in, in_length, timeout)` | the same where the other fields do not matter | a task |
/// | `run(kernel_state&)` | runs tasks, sleeping by `port::idle()` while none is ready, until `kernel_state::stopping`; in virtual time also when nothing can ever happen. Sleep is added to `kernel_state::idle_ticks` | main |
/// | `say_fault` | a `fault_listener`: tells whoever looks at the board that a task has failed; null where there is no place for it | in the kernel |
///
/// Interrupts: whatever raises `port::attention`, `handle_pending(kernel_state)` is called soon after, before any task goes on if the interrupt came
/// while a task ran, and what it returns runs next. On a host this happens at kernel calls and at virtual interrupts only.
/// A task's fault (an access, an overflow): `fail(kernel_state, fault, address)` ends it and returns which task runs next.
