// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/scheduler.hpp>

/// Interrupt events, notification bits and sleep: the kernel's part of these calls, and the
/// functions for interrupts.
namespace baton {
namespace kernel {

namespace handlers {

/// Waits until an interrupt has raised the interrupt event. An event that was raised since the last
/// wait for it is taken at once.
///
/// Errors   bad_event, busy: another task waits for it. bad_timeout, would_wait, timed_out.
inline tcb* wait_interrupt_event(kernel_state& m, request& r) {
  if (as_wait_interrupt_event(r).event() >= m.interrupt_events) return detail::refuse(m, r, error::bad_event);
  const uint8_t event = static_cast<uint8_t>(as_wait_interrupt_event(r).event());
  if (m.waiters[event]) return detail::refuse(m, r, error::busy);  // the event is the other task's
  const uint32_t bit = 1ul << event;
  bool is_raised;
  {
    port::critical masked;
    is_raised = (m.raised_interrupt_events & bit) != 0;
    m.raised_interrupt_events &= ~bit;
  }
  if (is_raised) return detail::complete(m, r);
  tcb* self = m.running;
  tcb* next = detail::wait_or_refuse(m, r, state::event_wait);
  if (self->state() == state::event_wait) m.waiters[event] = self;
  return next;
}

/// Sets notification bits of a task, which need not wait for them.
///
/// Context  a task that is more urgent and waits for the bits runs next.
/// Errors   bad_task
inline tcb* notify(kernel_state& m, request& r);

/// Waits until one of some notification bits is set, and takes those that are set.
///
/// Errors   bad_timeout, would_wait, timed_out: none was taken.
inline tcb* wait_notification(kernel_state& m, request& r);

/// Makes notification bits end the caller's `receive` too, from this call on: so the caller waits
/// for messages and for interrupts at once.
///
/// Context  the bits stay set until `wait_notification` takes them.
inline tcb* set_notification_mask(kernel_state& m, request& r);

/// Waits for time to pass. 0 is a `yield`.
///
/// Errors   bad_timeout
inline tcb* sleep(kernel_state& m, request& r) {
  if (r.timeout > longest_timeout) return detail::refuse(m, r, error::bad_timeout);  // `unlimited` as well
  if (r.timeout != 0) return detail::wait_or_refuse(m, r, state::asleep);
  detail::complete(r, error::none);
  m.ready.push(m.running);
  return m.next();
}

}  // namespace handlers

namespace detail {

/// Takes those of some notification bits that a task has, and returns them.
inline word take_notifications(tcb* t, word bits) {
  port::critical masked;
  const word taken = t->notifications & bits;
  t->notifications &= ~taken;
  return taken;
}

/// Wakes a task that waits for one of its bits, or that receives and has one in its mask.
inline void wake_for_notifications(kernel_state& m, tcb* t) {
  if (t->state() == state::receive_wait && (t->notifications & t->notification_mask))
    return wake(m, t, error::notified);
  if (t->state() != state::notify_wait) return;
  const word taken = take_notifications(t, as_wait_notification(*t->call).bits());
  if (!taken) return;
  as_wait_notification(*t->call).set_taken(taken);
  wake(m, t, error::none);
}

inline void add_notifications(tcb* t, word bits) {
  port::critical masked;
  t->notifications |= bits;
}

}  // namespace detail

inline tcb* handlers::notify(kernel_state& m, request& r) {
  tcb* t = m.find(as_notify(r).destination());
  if (!t) return detail::refuse(m, r, error::bad_task);
  detail::complete(r, error::none);
  detail::add_notifications(t, as_notify(r).bits());
  detail::wake_for_notifications(m, t);
  return m.yield_to_higher_priority();
}

inline tcb* handlers::set_notification_mask(kernel_state& m, request& r) {
  m.running->notification_mask = as_set_notification_mask(r).mask();
  return detail::complete(m, r);
}

inline tcb* handlers::wait_notification(kernel_state& m, request& r) {
  const word taken = detail::take_notifications(m.running, as_wait_notification(r).bits());
  as_wait_notification(r).set_taken(taken);
  if (taken) return detail::complete(m, r);
  return detail::wait_or_refuse(m, r, state::notify_wait);
}

/// The functions for interrupts. None of them waits, and none runs a task: the kernel does so when
/// the interrupt has ended.
namespace from_interrupt {

/// Wakes the task that waits for the interrupt event, or the next one that will.
/// Context  an interrupt, or a job; an event beyond the table's does nothing.
inline void raise_event(kernel_state& m, uint8_t event) {
  if (event >= m.interrupt_events) return;
  {
    port::critical masked;
    m.raised_interrupt_events |= 1ul << event;
  }
  port::attention::raise();
}

/// Sets notification bits of a task. A task that has ended gets none.
/// Context  an interrupt
inline void notify(kernel_state& m, tid id, word bits) {
  tcb* t = m.find(id);
  if (!t) return;
  detail::add_notifications(t, bits);
  m.has_notifications = true;
  port::attention::raise();
}

}  // namespace from_interrupt
}  // namespace kernel
}  // namespace baton
