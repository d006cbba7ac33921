// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/enum_names.hpp>
#include <baton/kernel/print_times.hpp>

/// Reports on the kernel's tasks, as text for people, written to any sink: an object with
/// `void put(char)`. Lines end in CRLF.
namespace baton {
namespace kernel {

namespace detail {

/// Prints what a task waits for: a task, an event, or `-`.
template <typename Sink>
void put_cause(Sink& sink, const task_report& r, const char* peer_name) {
  if (r.peer != no_task) return put_task(sink, r.peer, peer_name);
  if (r.state != state::event_wait) return sink.put('-');
  baton::spi::put_text(sink, BATON_TEXT("event "));
  put_number(sink, r.interrupt_event);
}

/// Prints `: bad access at 20001f00`.
template <typename Sink>
void put_failure(Sink& sink, fault why, word address) {
  baton::spi::put_text(sink, BATON_TEXT(": "));
  baton::spi::put_text(sink, fault_name(why));
  baton::spi::put_text(sink, BATON_TEXT(" at "));
  put_number(sink, address, 16);
}

/// Prints the registers that the port knows: none are 0.
template <typename Sink>
void put_registers(Sink& sink, const fault_registers& r) {
  const struct {
    port::text name;
    word value;
  } all[] = {{BATON_TEXT(", pc "), r.pc}, {BATON_TEXT(", sp "), r.sp}, {BATON_TEXT(", lr "), r.lr}};
  for (const auto& one : all) {
    if (!one.value) continue;
    baton::spi::put_text(sink, one.name);
    put_number(sink, one.value, 16);
  }
}

}  // namespace detail

/// Prints the heading of `print_task`'s lines.
template <typename Sink>
void print_task_heading(Sink& sink) {
  detail::put_cell(sink, BATON_TEXT("id"), 10);
  detail::put_cell(sink, BATON_TEXT("name"), 13);
  detail::put_cell(sink, BATON_TEXT("state"), 13);
  detail::put_cell(sink, BATON_TEXT("on"), 13);
  detail::put_cell(sink, BATON_TEXT("priority"), 9);
  detail::put_cell(sink, BATON_TEXT("stack"), 14);
  baton::spi::put_text(sink, BATON_TEXT("due"));
  baton::spi::put_line_end(sink);
}

/// Prints a line about one task: id (hexadecimal), name, state, the task or event that it waits
/// for, `own>inherited` priority, used and whole stack in bytes, and the tick of its timeout. Cells
/// that are too long are cut.
template <typename Sink>
void print_task(Sink& sink, const task_report& r, const char* peer_name = nullptr) {
  using cell = detail::column<Sink>;
  {
    cell id(sink, 10);
    detail::put_number(id, r.id, 16);
  }
  {
    cell name(sink, 13);
    detail::put_name(name, r.name);
  }
  detail::put_cell(sink, r.is_running ? BATON_TEXT("running") : state_name(r.state), 13);
  {
    cell on(sink, 13);
    detail::put_cause(on, r, peer_name);
  }
  {
    cell priorities(sink, 9);
    detail::put_number(priorities, r.base_priority);
    if (r.priority != r.base_priority) priorities.put('>');
    if (r.priority != r.base_priority) detail::put_number(priorities, r.priority);
  }
  {
    cell stack(sink, 14);
    detail::put_number(stack, r.stack_used);
    stack.put('/');
    detail::put_number(stack, r.stack_bytes);
  }
  if (r.is_timed) {
    detail::put_number(sink, r.due);
  } else {
    sink.put('-');
  }
  baton::spi::put_line_end(sink);
}

/// Prints all tasks of a kernel, by slot; then the time that each has run, in a program that counts
/// it (`BATON_TASK_TIMES`).
/// Context  in the kernel (`kernel_state::on_fault`), or main while no task runs.
/// Cost     O(slots x stack)
template <typename Sink>
void print_tasks(Sink& sink, const kernel_state& m) {
  print_task_heading(sink);
  for (const tcb* t = m.table; t != m.table + m.slots; ++t) {
    if (t->is_free()) continue;
    task_report said;
    report(m, *t, said);
    print_task(sink, said, t->peer ? t->peer->name : nullptr);
  }
  detail::put_times(sink, m);
}

/// Prints all tasks, by slot, and the time that each has run, if the program counts it.
/// Context  a task: one call of the kernel per task and one for the task that it waits for, so
///          other tasks may run in between.
template <typename Sink>
void print_tasks(Sink& sink) {
  print_task_heading(sink);
  task_report r;
  for (uint8_t slot = 0; inspect(slot, r); ++slot) {
    if (r.id == no_task) continue;
    task_report peer = {};
    if (r.peer != no_task) inspect(static_cast<uint8_t>(r.peer & 0xff), peer);
    print_task(sink, r, peer.id == r.peer ? peer.name : nullptr);
  }
  detail::put_times(sink);
}

/// Prints the cycle of waits that a send of `from` to `to` would close: `deadlock: a -> b -> a`.
/// Context  `kernel_state::on_deadlock`
/// Cost     O(cycle)
template <typename Sink>
void print_cycle(Sink& sink, const tcb& from, const tcb& to) {
  baton::spi::put_text(sink, BATON_TEXT("deadlock: "));
  detail::put_task(sink, from.id, from.name);
  const tcb* t = &to;
  for (bool is_closed = false; t && !is_closed; t = t->peer) {
    baton::spi::put_text(sink, BATON_TEXT(" -> "));
    detail::put_task(sink, t->id, t->name);
    is_closed = t == &from;
  }
  baton::spi::put_line_end(sink);
}

/// Prints the fault that has ended a task: `task pump: stack overflow at 20001f00`.
/// Context  `kernel_state::on_fault`
template <typename Sink>
void print_fault(Sink& sink, const tcb& t, fault why, word address) {
  baton::spi::put_text(sink, BATON_TEXT("task "));
  detail::put_task(sink, t.id, t.name);
  detail::put_failure(sink, why, address);
  baton::spi::put_line_end(sink);
}

/// Prints how a task has ended: `task pump has exited`, `task pump was killed`, or with its fault,
/// `task pump: bad access at 20001f00, pc 1a2c, sp 20000ff8, lr 1b31`.
template <typename Sink>
void print_end(Sink& sink, const end_report& r) {
  baton::spi::put_text(sink, BATON_TEXT("task "));
  detail::put_task(sink, r.id, r.name);
  if (r.how == ending::failed) {
    detail::put_failure(sink, r.why, r.address);
    detail::put_registers(sink, r.registers);
  } else {
    baton::spi::put_text(sink, r.how == ending::killed ? BATON_TEXT(" was killed") : BATON_TEXT(" has exited"));
  }
  baton::spi::put_line_end(sink);
}

/// A `fault_listener` that prints the fault, a character at a time.
template <void (*Put)(char)>
void say_fault(const kernel_state&, const tcb& t, fault why, word address) {
  struct {
    void put(char c) { Put(c); }
  } sink;
  print_fault(sink, t, why, address);
}

}  // namespace kernel
}  // namespace baton
