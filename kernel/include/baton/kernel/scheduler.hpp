// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/priority.hpp>
#include <baton/kernel/requests.hpp>

/// How a task's wait begins and ends, whatever it waits for.
namespace baton {
namespace kernel {
namespace detail {

/// The call ends at once, with an error.
BATON_INLINE tcb* refuse(kernel_state& m, request& r, error e) {
  complete(r, e);
  return m.running;
}

/// The call ends at once, and has succeeded.
BATON_INLINE tcb* complete(kernel_state& m, request& r) {
  complete(r, error::none);
  return m.running;
}

/// Why nobody can wait for so long. 0 is refused where a call would have to wait.
inline error timeout_error(tick timeout) {
  if (timeout == forever) return error::none;
  if (timeout == 0) return error::would_wait;
  return timeout > longest_timeout ? error::bad_timeout : error::none;
}

BATON_NOINLINE inline bool is_past(tick due) {
  return static_cast<tick_difference>(port::now() - due) >= 0;
}

/// The tick of the next timeout or end of a time slice. false: there is none.
inline bool next_due(const kernel_state& m, tick& due) {
  const tcb* first = m.timed_waits.first();
  const bool is_sliced = m.slices && m.running;
  if (first) due = first->due;
  if (is_sliced && (!first || static_cast<tick_difference>(m.slices->end - due) < 0)) due = m.slices->end;
  return first || is_sliced;
}

/// Sets the alarm for what comes next. false: that is past, and such an alarm is not heard.
BATON_NOINLINE inline bool set_alarm(const kernel_state& m) {
  tick due;
  if (!next_due(m, due)) return true;
  kernel_port::alarm(due);
  return !is_past(due);
}

/// With time slices, the slice of who runs next begins now.
BATON_NOINLINE inline void arm(kernel_state& m, tcb* t, tick timeout) {
  const bool is_heard = !m.timed_waits.arm(t, port::now() + timeout) || set_alarm(m);
  if (!is_heard || m.slices) port::attention::raise();
}

/// The running task waits from now on. Its timeout, if it has one, is armed.
BATON_INLINE void wait(kernel_state& m, request& r, state what) {
  tcb* self = m.running;
  self->call = &r;
  self->become(what);
  if (BATON_UNLIKELY(r.timeout != forever)) arm(m, self, r.timeout);
}

BATON_NOINLINE inline bool take_from_timed(kernel_state& m, tcb* t, state what) {
  if (t->state() != what) return false;
  m.timed_waits.disarm(t);
  return true;
}

/// Whether a task waits for this. If it does so with a timeout, the timeout is disarmed.
BATON_INLINE bool take_from(kernel_state& m, tcb* t, state what) {
  return BATON_LIKELY(t->is(what)) || take_from_timed(m, t, what);
}

/// The running task waits, unless its timeout is none: which task runs next.
BATON_NOINLINE inline tcb* wait_or_refuse(kernel_state& m, request& r, state what) {
  const error e = timeout_error(r.timeout);
  if (e != error::none) return refuse(m, r, e);
  wait(m, r, what);
  return m.next();
}

/// Ends a task's wait with a result. It does not run yet.
inline void wake(kernel_state& m, tcb* t, ipc_result o) {
  complete(*t->call, o);
  if (t->is_timed()) m.timed_waits.disarm(t);
  t->become(state::ready);
  t->peer = nullptr;
  m.ready.push(t);
}

/// Takes a waiting task out of whatever it waits for, so that nobody wakes it any more. It is ready then, but in no queue; whom it
/// waited for no longer inherits from it.
inline void leave(kernel_state& m, tcb* t) {
  if (t->is_timed()) m.timed_waits.disarm(t);
  tcb* peer = t->peer;
  if (t->is(state::send_wait)) senders::remove(peer, t);
  if (t->is(state::event_wait)) m.waiters[as_wait_interrupt_event(*t->call).event()] = nullptr;
  t->become(state::ready);
  t->peer = nullptr;
  if (peer) recompute_priority(m, peer);
}

/// Ends a task's wait with an error, because of its timeout for example.
inline void give_up(kernel_state& m, tcb* t, error e) {
  leave(m, t);
  wake(m, t, e);
}

/// To a task that was made ready by the running one, which waits from now on: at once, unless somebody more urgent is ready, or others
/// that are as urgent have stood back sixteen times.
BATON_INLINE tcb* hand_over(kernel_state& m, tcb* to) {
  if (!to) __builtin_unreachable();
  const uint32_t others = m.ready.from(to->priority);
  if (BATON_LIKELY(others == 0) || (others == 1 && ++m.consecutive_handoffs < 16)) return m.running = to;
  m.consecutive_handoffs = 0;
  m.ready.push(to);
  tcb* next = m.next();
  if (!next) __builtin_unreachable();
  return next;
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
