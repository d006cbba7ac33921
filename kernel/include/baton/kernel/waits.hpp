// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/waiting.hpp>

/// Events of interrupts, notification bits, sleep: what the kernel does at these calls, and what an interrupt may do.
namespace baton {
namespace kernel {

namespace handlers {

/// Waits until an interrupt has raised the event. One that was raised since it was awaited last is taken at once.
///
/// Context  `first` is the event.
/// Errors   bad_event, busy: another task awaits it. bad_timeout, would_wait, timed_out.
inline task* await_event(machine& m, request& r) {
  if (r.first >= m.events) return detail::refuse(m, r, error::bad_event);
  const uint8_t event = static_cast<uint8_t>(r.first);
  if (m.waiters[event]) return detail::refuse(m, r, error::busy);  // what was raised is the other task's
  const uint32_t bit = 1ul << event;
  bool is_raised;
  {
    port::critical masked;
    is_raised = (m.raised_events & bit) != 0;
    m.raised_events &= ~bit;
  }
  if (is_raised) return detail::refuse(m, r, error::none);
  task* self = m.running;
  task* next = detail::wait_or_refuse(m, r, state::event_wait);
  if (self->what() == state::event_wait) m.waiters[event] = self;
  return next;
}

/// Sets notification bits of a task; it needs not wait for them.
///
/// Context  `first` is the task, `second` the bits. One that is more urgent and awaits them runs next.
/// Errors   bad_task
inline task* notify(machine& m, request& r);

/// Waits until one of some notification bits is set, and takes those that are.
///
/// Context  `first` are the bits that are awaited; `second` are then those that were taken.
/// Errors   bad_timeout, would_wait, timed_out: none was taken.
inline task* await_notice(machine& m, request& r);

/// Has notification bits end the caller's `receive`, too, from now on: so it waits for messages and for interrupts at once.
///
/// Context  `first` are the bits; they stay set until `await_notice` takes them.
inline task* listen(machine& m, request& r);

/// Waits for time to pass. 0 is a `yield`.
///
/// Errors   bad_timeout
inline task* sleep(machine& m, request& r) {
  if (r.timeout > longest_timeout) return detail::refuse(m, r, error::bad_timeout);  // `forever` as well
  if (r.timeout != 0) return detail::wait_or_refuse(m, r, state::asleep);
  detail::give(r, error::none);
  m.ready.push(m.running);
  return m.next();
}

}  // namespace handlers

namespace detail {

/// Those of some bits that a task has, which it has no longer.
inline word take_notices(task* t, word bits) {
  port::critical masked;
  const word taken = t->notices & bits;
  t->notices &= ~taken;
  return taken;
}

/// Wakes a task that awaits one of the bits it has, or that receives and listens for one.
inline void wake_for_notices(machine& m, task* t) {
  if (t->what() == state::receive_wait && (t->notices & t->listened)) return wake(m, t, error::noticed);
  if (t->what() != state::notice_wait) return;
  const word taken = take_notices(t, t->call->first);
  if (!taken) return;
  t->call->second = taken;
  wake(m, t, error::none);
}

inline void add_notices(task* t, word bits) {
  port::critical masked;
  t->notices |= bits;
}

}  // namespace detail

inline task* handlers::notify(machine& m, request& r) {
  task* t = m.find(r.first);
  if (!t) return detail::refuse(m, r, error::bad_task);
  detail::give(r, error::none);
  detail::add_notices(t, r.second);
  detail::wake_for_notices(m, t);
  return m.yield_to_more_urgent();
}

inline task* handlers::listen(machine& m, request& r) {
  m.running->listened = r.first;
  return detail::refuse(m, r, error::none);
}

inline task* handlers::await_notice(machine& m, request& r) {
  r.second = detail::take_notices(m.running, r.first);
  if (r.second) return detail::refuse(m, r, error::none);
  return detail::wait_or_refuse(m, r, state::notice_wait);
}

/// What an interrupt may do. None of it waits, and none of it runs a task: the kernel does, when the interrupt has ended.
namespace from_interrupt {

/// Wakes the task that awaits the event, or the next one that will.
/// Context  an interrupt, or a job; an event beyond the table's is nobody's and does nothing.
inline void raise_event(machine& m, uint8_t event) {
  if (event >= m.events) return;
  {
    port::critical masked;
    m.raised_events |= 1ul << event;
  }
  port::attention::raise();
}

/// Sets notification bits of a task. One that has ended gets none.
/// Context  an interrupt
inline void notify(machine& m, tid id, word bits) {
  task* t = m.find(id);
  if (!t) return;
  detail::add_notices(t, bits);
  m.has_notices = true;
  port::attention::raise();
}

}  // namespace from_interrupt
}  // namespace kernel
}  // namespace baton
