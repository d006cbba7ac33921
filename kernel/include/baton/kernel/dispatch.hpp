// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/inspection.hpp>
#include <baton/kernel/lifetime.hpp>
#include <baton/kernel/messages.hpp>
#include <baton/kernel/notifications.hpp>
#include <baton/kernel/spi/stack_guard.hpp>

/// The kernel's two entrances: `enter` for a task's call, and `handle_pending` after an interrupt.
/// Each returns the task that runs next.
namespace baton {
namespace kernel {

/// The notification bit by which the kernel wakes the task that runs the coroutines.
constexpr word attention_notification = ~(static_cast<word>(-1) >> 1);

namespace detail {

/// Wakes the tasks that wait for interrupt events which were raised. An event without a waiter
/// stays raised.
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
    kernel_port::window();
  }
}

inline void wake_all_for_notifications(kernel_state& m) {
  m.has_notifications = false;
  BATON_COMPILER_BARRIER();
  walk<4> w;
  for (tcb* t = m.table; t != m.table + m.slots; ++t) {
    wake_for_notifications(m, t);
    w.step();
  }
}

/// True if an interrupt has come, in a window, after the kernel had looked at what it changes.
inline bool have_interrupts_come(const kernel_state& m) {
  for (uint8_t event = 0; m.raised_interrupt_events && event < m.interrupt_events; ++event) {
    if (m.waiters[event] && (m.raised_interrupt_events >> event & 1)) return true;
  }
  return m.has_notifications;
}

inline void time_out(kernel_state& m, tcb* t) {
  give_up(m, t, t->state() == state::asleep ? error::none : error::timed_out);
}

/// Ends the waits whose timeouts are past and the time slice that is over, and sets the alarm for
/// the next one. An alarm that is past when it is set is not heard, so the clock is read again.
inline tcb* pass_time(kernel_state& m) {
  for (;;) {
    while (m.timed_waits.first() && is_past(m.timed_waits.first()->due)) {
      time_out(m, m.timed_waits.first());
      kernel_port::window();
    }
    if (m.running) {
      m.yield_to_higher_priority();
    } else {
      m.next();
    }
    if (m.slices) m.slices->look(m, *m.slices);
    if (set_alarm(m)) return m.running;
  }
}

/// Makes the running task the first of its equals: it goes on when the kernel runs again.
inline tcb* preempt_running(kernel_state& m) {
  if (m.running) m.ready.push_front(m.running);
  return m.running = nullptr;
}

}  // namespace detail

/// Handles the interrupts that have come. Returns the task that runs next: the running one, unless
/// a more urgent one is ready, or its time slice has ended.
///
/// Context  in the kernel, after `port::attention` was raised.
/// Cost     O(events), and O(slots) where an interrupt has set notification bits.
inline tcb* handle_pending(kernel_state& m) {
  if (m.coroutine_server) {
    // While the coroutine server runs, it sees the flag itself and lowers it, at the latest before
    // it waits.
    if (m.coroutine_server != m.running) {
      detail::add_notifications(m.coroutine_server, attention_notification);
      detail::wake_for_notifications(m, m.coroutine_server);
    }
  } else {
    port::attention::lower();
  }
  BATON_COMPILER_BARRIER();
  if (BATON_UNLIKELY(m.stopping)) return detail::count_time(m, detail::preempt_running(m));
  tcb* next;
  do {
    if (m.raised_interrupt_events) detail::wake_for_interrupt_events(m);
    if (m.has_notifications) detail::wake_all_for_notifications(m);
    next = detail::pass_time(m);
  } while (kernel_port::masks_interrupts && detail::have_interrupts_come(m));
  return detail::count_time(m, next);
}

namespace handlers {

/// Returns the tick, in two words where one is too narrow.
inline tcb* now(kernel_state& m, request& r) {
  constexpr uint8_t bits = sizeof(word) * 8;
  constexpr bool fits = sizeof(tick) <= sizeof(word);
  const tick t = port::now();
  as_now(r).set_low(static_cast<word>(t));
  as_now(r).set_high(fits ? 0 : static_cast<word>(t >> (fits ? 0 : bits)));
  return m.running;
}

}  // namespace handlers

/// The function of a call whose number the compiler knows.
template <call_number N>
struct handler_of;

#define BATON_KERNEL_CALL(name)                                   \
  template <>                                                     \
  struct handler_of<call_number::name> {                          \
    static BATON_INLINE tcb* enter(kernel_state& m, request& r) { \
      return detail::count_time(m, handlers::name(m, r));         \
    }                                                             \
  };
BATON_KERNEL_CALL(send)
BATON_KERNEL_CALL(receive)
BATON_KERNEL_CALL(reply)
BATON_KERNEL_CALL(reply_receive)
BATON_KERNEL_CALL(yield)
BATON_KERNEL_CALL(exit)
BATON_KERNEL_CALL(my_tid)
BATON_KERNEL_CALL(parent)
BATON_KERNEL_CALL(create)
BATON_KERNEL_CALL(kill)
BATON_KERNEL_CALL(wait_interrupt_event)
BATON_KERNEL_CALL(notify)
BATON_KERNEL_CALL(wait_notification)
BATON_KERNEL_CALL(sleep)
BATON_KERNEL_CALL(now)
BATON_KERNEL_CALL(inspect)
BATON_KERNEL_CALL(set_notification_mask)
BATON_KERNEL_CALL(reply_error)
BATON_KERNEL_CALL(receive_from)
BATON_KERNEL_CALL(send_lending)
BATON_KERNEL_CALL(copy_from)
BATON_KERNEL_CALL(copy_to)
BATON_KERNEL_CALL(take_end_report)
#undef BATON_KERNEL_CALL

/// Does the running task's call, and returns the task that runs next.
template <call_number N>
BATON_INLINE tcb* enter(kernel_state& m, request& r) {
  tcb* self = m.running;
  return spi::check_guard(m, self, handler_of<N>::enter(m, r));
}

namespace detail {

using entry = tcb* (*)(kernel_state&, request&);

template <call_number N>
struct call_entry {
  static tcb* enter(kernel_state& m, request& r) { return kernel::enter<N>(m, r); }
};

/// The same, for a table of a trap: it is defined where the program makes the call, in
/// spi/linked_call.hpp, and else null.
template <call_number N>
struct optional_entry {
  static tcb* enter(kernel_state& m, request& r) __attribute__((weak));
};

/// A task that returns calls `exit`.
template <>
struct optional_entry<call_number::exit> : call_entry<call_number::exit> {};

/// The calls of these numbers, in their order.
template <template <call_number> class Entry, uint8_t... Numbers>
struct entries {
  static const entry table[sizeof...(Numbers)];
};

template <template <call_number> class Entry, uint8_t... Numbers>
const entry entries<Entry, Numbers...>::table[sizeof...(Numbers)] = {
    &Entry<static_cast<call_number>(Numbers)>::enter...};

template <template <call_number> class Entry, uint8_t First, uint8_t End, uint8_t... Numbers>
struct entries_from : entries_from<Entry, First, End - 1, End - 1, Numbers...> {};
template <template <call_number> class Entry, uint8_t First, uint8_t... Numbers>
struct entries_from<Entry, First, First, Numbers...> : entries<Entry, Numbers...> {};

}  // namespace detail

/// Does the running task's call, by a number that came from it.
inline tcb* enter(kernel_state& m, word number, request& r) {
  if (number >= calls) return detail::refuse(m, r, error::bad_call);
  return detail::entries_from<detail::call_entry, 0, calls>::table[number](m, r);
}

/// Does the same for a trap that has no entrance of its own for the calls from `First` on.
///
/// Shape    the program holds the functions of the calls that it makes. A call by a number that
///          the program makes nowhere is a bad_call.
template <uint8_t First>
BATON_INLINE tcb* enter_linked(kernel_state& m, word number, request& r) {
  const word n = number - First;
  if (BATON_UNLIKELY(n >= static_cast<word>(calls - First))) return detail::refuse(m, r, error::bad_call);
  const detail::entry call = detail::entries_from<detail::optional_entry, First, calls>::table[n];
  if (BATON_UNLIKELY(!call)) return detail::refuse(m, r, error::bad_call);
  return call(m, r);
}

}  // namespace kernel
}  // namespace baton
