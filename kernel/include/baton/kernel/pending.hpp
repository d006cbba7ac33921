// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/notifications.hpp>

/// What the kernel does after an interrupt: interrupt events, notification bits, timeouts.
namespace baton {
namespace kernel {

/// The notification bit by which the kernel wakes the task that runs the coroutines.
constexpr word attention_notification = ~(static_cast<word>(-1) >> 1);

namespace detail {

/// Who awaits an event that an interrupt has raised. An event that nobody awaits stays raised.
inline void wake_for_interrupt_events(kernel_state& m) {
  for (uint8_t event = 0; event < m.interrupt_events; ++event) {
    tcb* t = m.waiters[event];
    const uint32_t bit = 1ul << event;
    if (!t || !(m.raised_interrupt_events & bit)) continue;
    {
      port::critical masked;
      m.raised_interrupt_events &= ~bit;
    }
    m.waiters[event] = nullptr;
    wake(m, t, error::none);
  }
}

inline void wake_all_for_notifications(kernel_state& m) {
  m.has_notifications = false;
  BATON_COMPILER_BARRIER();
  for (tcb* t = m.table; t != m.table + m.slots; ++t) wake_for_notifications(m, t);
}

inline void time_out(kernel_state& m, tcb* t) {
  give_up(m, t, t->state() == state::asleep ? error::none : error::timed_out);
}

/// Ends the waits whose timeouts are past and the time slice that is over, and sets the alarm for what comes next. An alarm that is past
/// when it is set is not heard, so the clock is looked at again.
inline tcb* pass_time(kernel_state& m) {
  for (;;) {
    while (m.timed_waits.first() && is_past(m.timed_waits.first()->due)) time_out(m, m.timed_waits.first());
    if (m.running) {
      m.yield_to_higher_priority();
    } else {
      m.next();
    }
    if (m.slices) m.slices->look(m, *m.slices);
    if (set_alarm(m)) return m.running;
  }
}

/// The running task goes on when the kernel runs again.
inline tcb* preempt_running(kernel_state& m) {
  if (m.running) m.ready.push_front(m.running);
  return m.running = nullptr;
}

}  // namespace detail

/// Takes in what interrupts have brought, and says which task runs next: the running one, unless there is one more urgent, or its time
/// slice has ended.
///
/// Context  in the kernel, after `port::attention` was raised.
/// Cost     O(events), and O(slots) where an interrupt has set notification bits.
inline tcb* handle_pending(kernel_state& m) {
  if (m.coroutine_server) {
    // While it runs it sees the flag itself, which it lowers; at the latest when it is about to wait.
    if (m.coroutine_server != m.running) {
      detail::add_notifications(m.coroutine_server, attention_notification);
      detail::wake_for_notifications(m, m.coroutine_server);
    }
  } else {
    port::attention::lower();
  }
  BATON_COMPILER_BARRIER();
  if (BATON_UNLIKELY(m.stopping)) return detail::preempt_running(m);
  if (m.raised_interrupt_events) detail::wake_for_interrupt_events(m);
  if (m.has_notifications) detail::wake_all_for_notifications(m);
  return detail::pass_time(m);
}

}  // namespace kernel
}  // namespace baton
