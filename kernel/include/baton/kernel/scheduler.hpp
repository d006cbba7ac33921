// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/priority.hpp>
#include <baton/kernel/requests.hpp>

/// The beginning and the end of a task's wait, for all calls.
namespace baton {
namespace kernel {
namespace detail {

/// Ends the call at once, with an error.
BATON_INLINE tcb* refuse(kernel_state& m, request& r, error e) {
  complete(r, e);
  return m.running;
}

/// Ends the call at once, because `to` waits for the running task.
inline tcb* refuse_cycle(kernel_state& m, request& r, const tcb* to) {
  if (m.on_deadlock) m.on_deadlock(m, *m.running, *to);
  return refuse(m, r, error::deadlock);
}

/// Ends the call at once, with success.
BATON_INLINE tcb* complete(kernel_state& m, request& r) {
  complete(r, error::none);
  return m.running;
}

/// The error of a timeout with which a call cannot wait. 0 is refused where a call would have to
/// wait.
inline error timeout_error(tick timeout) {
  if (timeout == unlimited) return error::none;
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

/// Sets the alarm for the next timeout or end of a slice. false: that time is past, and such an
/// alarm is not heard.
BATON_NOINLINE inline bool set_alarm(const kernel_state& m) {
  tick due;
  if (!next_due(m, due)) return true;
  kernel_port::alarm(due);
  return !is_past(due);
}

/// Arms the timeout of a task. With time slices, attention is raised, because the slice of the next
/// task begins at once.
BATON_NOINLINE inline void arm(kernel_state& m, tcb* t, tick timeout) {
  if (m.timed_waits.first()) kernel_port::window();
  const bool is_heard = !m.timed_waits.arm(t, port::now() + timeout) || set_alarm(m);
  if (!is_heard || m.slices) port::attention::raise();
}

/// Makes the running task wait, and arms its timeout if it has one.
BATON_INLINE void wait(kernel_state& m, request& r, state what) {
  tcb* self = m.running;
  self->call = &r;
  self->become(what);
  if (BATON_UNLIKELY(r.timeout != unlimited)) arm(m, self, r.timeout);
}

BATON_NOINLINE inline bool take_from_timed(kernel_state& m, tcb* t, state what) {
  if (t->state() != what) return false;
  if (t->is_timed()) m.timed_waits.disarm(t);
  return true;
}

/// Tests whether a task waits in the state `what`, and disarms its timeout if it has one. The state
/// stays; the caller ends the wait. false: the task is in another state, and nothing has changed.
BATON_INLINE bool take_from(kernel_state& m, tcb* t, state what) {
  return BATON_LIKELY(t->is(what)) || take_from_timed(m, t, what);
}

/// Makes the running task wait, or refuses a timeout of 0 or of bad length. Returns the task that
/// runs next.
BATON_NOINLINE inline tcb* wait_or_refuse(kernel_state& m, request& r, state what) {
  const error e = timeout_error(r.timeout);
  if (e != error::none) return refuse(m, r, e);
  wait(m, r, what);
  return m.next();
}

/// Ends a task's wait with a result and puts it into the ready queue.
inline void wake(kernel_state& m, tcb* t, ipc_result o) {
  complete(*t->call, o);
  if (t->is_timed()) m.timed_waits.disarm(t);
  t->become(state::ready);
  t->peer = nullptr;
  m.ready.push(t);
}

/// Takes a waiting task out of everything that it waits for, so that no event wakes it any more. It
/// is ready then, but in no queue. The task that it waited for no longer inherits from it.
inline void leave(kernel_state& m, tcb* t) {
  if (t->is_timed()) m.timed_waits.disarm(t);
  tcb* const peer = t->peer;
  if (peer) leave_list_of_peer(t);
  if (t->is(state::event_wait)) m.waiters[as_wait_interrupt_event(*t->call).event()] = nullptr;
  t->become(state::ready);
  t->peer = nullptr;
  if (!peer) return;
  t->renew_token();
  recompute_priority(m, peer);
}

/// Ends a task's wait with an error, for example because of its timeout.
inline void give_up(kernel_state& m, tcb* t, error e) {
  leave(m, t);
  wake(m, t, e);
}

/// Switches to a task that the running one, which waits from here on, has made ready. The switch is
/// direct, unless a more urgent task is ready, or tasks as urgent have been passed by sixteen
/// times.
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
