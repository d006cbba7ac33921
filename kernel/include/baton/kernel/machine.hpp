// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/queues.hpp>

namespace baton {
namespace kernel {

struct machine;

/// Is told which task ends because of which fault, and where it touched or ran what it must not; 0 where nobody knows.
using fault_listener = void (*)(const machine&, const task&, fault, word address);

/// Whose turn it is among tasks that are as urgent, and until when: see `time_slices`.
struct slicing {
  tick length;
  tick end;
  tid owner;
  void (*look)(machine&, slicing&);  // whether the turn is over
};

/// The state of a kernel: who is ready, who waits for whom. It switches nothing: a call is a function over it that returns
/// which task runs next, and a port does the rest.
///
/// Shape    `running` is the task that makes the calls; null while none is ready. No ready task is more urgent than it. The memory
///          is the application's: see `system`.
/// Context  one call at a time. Interrupts touch `raised_events`, `has_notices` and tasks' `notices` alone.
struct machine {
  machine(task* tasks, uint8_t task_places, task** ready_tails, uint8_t urgency_count, task** event_waiters,
          uint8_t event_count)
      : table(tasks), waiters(event_waiters), places(task_places), urgencies(urgency_count), events(event_count) {
    ready.use(ready_tails);
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  /// Gives each place its first id. The owner of the table does so as soon as the table has been constructed.
  void number_places() {
    for (uint8_t place = 0; place < places; ++place) table[place].id = static_cast<tid>(1) << 8 | place;
  }

  /// The place that this id names; null where the id is past. The place may be free: the id is that of the next task there.
  BATON_INLINE task* at(tid id) const {
    const word place = id & 0xff;
    if (BATON_UNLIKELY(place >= places)) return nullptr;
    task* t = table + place;
    return BATON_LIKELY(t->id == id) ? t : nullptr;
  }

  /// The task of this id; null where it has ended, or never was.
  task* find(tid id) const {
    task* t = at(id);
    return t && !t->is_free() ? t : nullptr;
  }

  /// Makes the most urgent ready task the running one.
  BATON_INLINE task* next_inline() { return running = ready.pop(); }
  BATON_NOINLINE task* next() { return next_inline(); }

  /// After the running task has made others ready: it goes on unless one of them is more urgent.
  BATON_NOINLINE task* yield_to_more_urgent() {
    if (BATON_LIKELY(ready.from(running->urgency) <= 1)) return running;
    ready.push_front(running);
    return next();
  }

  task* const table;
  task** const waiters;  // of each event
  const uint8_t places;
  const uint8_t urgencies;
  const uint8_t events;
  uint8_t consecutive_handoffs = 0;  // direct hand-overs running
  task* running = nullptr;
  ready_queue ready;
  timeouts timed_waits;
  task* domain = nullptr;  // the task that runs the coroutines, if there is one
  uint32_t raised_events = 0;
  bool has_notices = false;  // an interrupt has set notification bits
  bool stopping = false;
  slicing* slices = nullptr;  // null: a task runs until it waits
  tick idle_ticks = 0;        // how long no task was ready

  /// Called in the kernel when a `send` is refused because `to` waits for `from`, if the application sets it.
  void (*on_deadlock)(const machine&, const task& from, const task& to) = nullptr;

  /// Called in the kernel before a task is ended because of its fault.
  fault_listener on_fault = nullptr;
};

}  // namespace kernel
}  // namespace baton
