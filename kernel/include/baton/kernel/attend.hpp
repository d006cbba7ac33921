// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/waits.hpp>

/// What the kernel does after an interrupt: events, notification bits, timeouts.
namespace baton {
namespace kernel {

/// The notification bit by which the kernel wakes the task that runs the coroutines.
constexpr word attention_notice = ~(static_cast<word>(-1) >> 1);

namespace detail {

/// Who awaits an event that an interrupt has raised. An event that nobody awaits stays raised.
inline void wake_for_events(machine& m) {
  for (uint8_t event = 0; event < m.events; ++event) {
    task* t = m.waiters[event];
    const uint32_t bit = 1ul << event;
    if (!t || !(m.raised_events & bit)) continue;
    {
      port::critical masked;
      m.raised_events &= ~bit;
    }
    m.waiters[event] = nullptr;
    wake(m, t, error::none);
  }
}

inline void wake_all_for_notices(machine& m) {
  m.has_notices = false;
  BATON_COMPILER_BARRIER();
  for (task* t = m.table; t != m.table + m.places; ++t) wake_for_notices(m, t);
}

inline void time_out(machine& m, task* t) {
  give_up(m, t, t->what() == state::asleep ? error::none : error::timed_out);
}

/// Ends the waits whose timeouts are past and the time slice that is over, and sets the alarm for what comes next. An alarm that is past
/// when it is set is not heard, so the clock is looked at again.
inline task* pass_time(machine& m) {
  for (;;) {
    while (m.timed_waits.first() && is_past(m.timed_waits.first()->due)) time_out(m, m.timed_waits.first());
    if (m.running) {
      m.yield_to_more_urgent();
    } else {
      m.next();
    }
    if (m.slices) m.slices->look(m, *m.slices);
    if (set_alarm(m)) return m.running;
  }
}

/// The running task goes on when the kernel runs again.
inline task* stand_back(machine& m) {
  if (m.running) m.ready.push_front(m.running);
  return m.running = nullptr;
}

}  // namespace detail

/// Takes in what interrupts have brought, and says which task runs next: the running one, unless there is one more urgent, or its time
/// slice has ended.
///
/// Context  in the kernel, after `port::attention` was raised.
/// Cost     O(events), and O(places) where an interrupt has set notification bits.
inline task* attend(machine& m) {
  if (m.domain) {
    // While it runs it sees the flag itself, which it lowers; at the latest when it is about to wait.
    if (m.domain != m.running) {
      detail::add_notices(m.domain, attention_notice);
      detail::wake_for_notices(m, m.domain);
    }
  } else {
    port::attention::lower();
  }
  BATON_COMPILER_BARRIER();
  if (BATON_UNLIKELY(m.stopping)) return detail::stand_back(m);
  if (m.raised_events) detail::wake_for_events(m);
  if (m.has_notices) detail::wake_all_for_notices(m);
  return detail::pass_time(m);
}

}  // namespace kernel
}  // namespace baton
