// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/tcb.hpp>

namespace baton {
namespace kernel {

struct kernel_state;

/// Called before a faulting task is ended. `address` is the address of the access or of the
/// instruction, 0 if unknown.
using fault_listener = void (*)(const kernel_state&, const tcb&, fault, word address);

/// The turn of one task among its equals, and its end: see `time_slices`.
struct slicing {
  tick length;
  tick end;
  tid owner;
  void (*look)(kernel_state&, slicing&);  // ends the turn when it is over
};

/// The fault that has ended a task. `registers` is null if the port does not know them.
struct failure {
  fault why;
  word address;
  const fault_registers* registers;
};

/// Hears of the ends of tasks: see `end_reports`.
struct end_listener {
  /// Called before the task leaves its slot. `f` is null unless it has failed.
  void (*ended)(kernel_state&, end_listener&, const tcb&, ending, const failure* f);
  tcb* (*take)(kernel_state&, end_listener&, kernel_port::request&);
};

/// The state of a kernel: the table of tasks and the queues. It switches nothing: a call is a
/// function over it that returns the task that runs next, and a port does the rest.
///
/// Shape    `running` is the task that makes the calls; null while none is ready. No ready task is
///          more urgent than it. The memory is the application's: see `system`.
/// Context  one call at a time. Interrupts touch only `raised_interrupt_events`,
///          `has_notifications` and tasks' `notifications`.
struct kernel_state {
  kernel_state(tcb* tasks, uint8_t slot_count, tcb** ready_tails, uint8_t priority_level_count,
               tcb** interrupt_event_waiters, uint8_t interrupt_event_count)
      : table(tasks),
        waiters(interrupt_event_waiters),
        slots(slot_count),
        priority_levels(priority_level_count),
        interrupt_events(interrupt_event_count) {
    ready.use(ready_tails);
  }
  kernel_state(const kernel_state&) = delete;
  kernel_state& operator=(const kernel_state&) = delete;

  /// Gives each slot its first id, and its first token. The owner of the table calls it as soon as
  /// the table has been constructed.
  void number_slots() {
    for (uint8_t slot = 0; slot < slots; ++slot) table[slot].token = table[slot].id = static_cast<tid>(1) << 8 | slot;
  }

  /// The slot that this id names; null if the id is past. The slot may be free: the id is then that
  /// of the next task there.
  BATON_INLINE tcb* at(tid id) const {
    const word slot = id & 0xff;
    if (BATON_UNLIKELY(slot >= slots)) return nullptr;
    tcb* t = table + slot;
    return BATON_LIKELY(t->id == id) ? t : nullptr;
  }

  /// The task in the slot of this token; null if it waits no more for a reply to that message.
  BATON_INLINE tcb* client(word token) const {
    const word slot = token & 0xff;
    if (BATON_UNLIKELY(slot >= slots)) return nullptr;
    tcb* t = table + slot;
    return BATON_LIKELY(t->token == token) ? t : nullptr;
  }

  /// The task of this id; null if it has ended, or never was.
  tcb* find(tid id) const {
    tcb* t = at(id);
    return t && !t->is_free() ? t : nullptr;
  }

  /// Makes the most urgent ready task the running one.
  BATON_INLINE tcb* next_inline() { return running = ready.pop(); }
  BATON_NOINLINE tcb* next() { return next_inline(); }

  /// Called when the running task has made others ready: it goes on unless one of them is more
  /// urgent.
  BATON_NOINLINE tcb* yield_to_higher_priority() {
    if (BATON_LIKELY(ready.from(running->priority) <= 1)) return running;
    ready.push_front(running);
    return next();
  }

  tcb* const table;
  tcb** const waiters;  // one for each event
  const uint8_t slots;
  const uint8_t priority_levels;
  const uint8_t interrupt_events;
  uint8_t consecutive_handoffs = 0;  // direct hand-overs past ready equals since one went through the queue
  tcb* running = nullptr;
  ready_queue ready;
  timeouts timed_waits;
  tcb* coroutine_server = nullptr;  // the task that runs the coroutines, if there is one
  uint32_t raised_interrupt_events = 0;
  bool has_notifications = false;  // an interrupt has set notification bits
  bool stopping = false;
  slicing* slices = nullptr;     // null: a task runs until it waits
  end_listener* ends = nullptr;  // null: nobody asks how a task has ended
  tick idle_ticks = 0;           // the time in which no task was ready
#ifdef BATON_TASK_TIMES
  tcb* timed_task = nullptr;  // the task whose time passes
  tick timed_since = 0;
#endif

  /// Called in the kernel when a `send` is refused because `to` waits for `from`; null calls
  /// nothing.
  void (*on_deadlock)(const kernel_state&, const tcb& from, const tcb& to) = nullptr;

  /// Called in the kernel before a task is ended because of its fault; null calls nothing.
  fault_listener on_fault = nullptr;
};

/// Runs the ready tasks, and sleeps by `port::idle()` while none is ready, until the kernel stops,
/// or in virtual time until nothing can ever happen. Adds the time asleep to
/// `kernel_state::idle_ticks`.
///
/// Context  main. `run_ready_tasks()` returns when no task is ready, or the kernel is to stop.
template <typename Function>
inline void run_until_stopped(kernel_state& m, Function run_ready_tasks) {
  for (;;) {
    run_ready_tasks();
    if (m.stopping) return;
    if (port::attention::raised()) continue;
    const tick before = port::now();
    const bool can_wake = port::idle();
    m.idle_ticks += port::now() - before;
    if (!can_wake) return;
  }
}

}  // namespace kernel
}  // namespace baton
