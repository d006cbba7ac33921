// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/delivery.hpp>

/// Send: the kernel's part of the call. See messages.hpp.
namespace baton {
namespace kernel {

namespace detail {

/// Sends to a task that waits for a message: that task runs next, and the running one waits for its
/// reply, in the state `how`.
BATON_INLINE tcb* send_to_receiver(kernel_state& m, request& r, tcb* self, tcb* to, uint8_t how) {
  // Read before anything is written: the words may lie where the results are written.
  const word message = as_send(r).message(), length = as_send(r).message_bytes();
  const receive_request wanted = as_receive(*to->call);
  self->call = &r;
  self->peer = to;
  self->state_bits = how;
  to->become(state::ready);
  if (BATON_UNLIKELY(lenders::has(to, self))) {
    if (to->priority < self->priority) to->priority = self->priority;
    lenders::insert(to, self);
  }
  tcb* next = hand_over(m, to);
  deliver(message, length, self->token, self->id, wanted);
  if (next == self) __builtin_unreachable();
  return next;
}

/// Queues a send to a task that does not receive.
inline tcb* enqueue_sender(kernel_state& m, request& r, tcb* to) {
  tcb* self = m.running;
  self->peer = to;
  wait(m, r, state::send_wait);
  const bool walks = kernel_port::masks_interrupts && to->senders;
  senders::insert(to, self);
  if (walks) kernel_port::window();
  if (to->is(state::ready) && to->priority < self->priority && m.ready.from(self->priority) == 0) {
    m.ready.remove(to);  // it becomes the most urgent one, alone
    to->priority = self->priority;
    return m.running = to;
  }
  boost_priority(m, to, self->priority);
  return m.next();
}

BATON_INLINE uint8_t refuse_send(kernel_state& m, request& r, error e) {
  refuse(m, r, e);
  return 0;
}

/// Prepares a send that has a timeout, or to a task that does not wait without one. 0: the send is
/// refused or queued, and another task may run. Else `to` takes the message, and the result is the
/// state in which the sender waits for its reply: `reply_wait`, maybe `timed`.
BATON_NOINLINE inline uint8_t how_to_send_now(kernel_state& m, request& r, tcb* to) {
  tcb* self = m.running;
  const error e = to->is_free() ? error::bad_task : timeout_error(r.timeout);
  if (e != error::none) return refuse_send(m, r, e);
  if (!take_from(m, to, state::receive_wait)) {
    if (!would_deadlock(self, to)) {
      enqueue_sender(m, r, to);
      return 0;
    }
    if (to->peer != self || to->state() != state::from_wait) {
      refuse_cycle(m, r, to);
      return 0;
    }
    leave(m, to);  // it waits for this message alone
  }
  if (r.timeout == unlimited) return static_cast<uint8_t>(state::reply_wait);
  arm(m, self, r.timeout);
  return static_cast<uint8_t>(state::reply_wait) | timed;
}

}  // namespace detail

namespace handlers {

/// Gives a message to another task, and waits for its reply.
///
/// Context  a receiver that waits runs next, before others that are as urgent; a more urgent task
///          runs first, and after the bound of `hand_over` the receiver goes behind its equals. If
///          the receiver does not wait, the caller queues by priority, and the receiver inherits
///          that.
/// Errors   bad_task, bad_buffer, bad_timeout, would_wait, deadlock: nothing happened. timed_out:
///          nothing happened, or the message was received and a reply to it is refused. peer_gone:
///          the receiver has ended.
BATON_INLINE tcb* send(kernel_state& m, request& r) {
  tcb* self = m.running;
  const send_request asked = as_send(r);
  tcb* to = m.at(asked.destination());
  if (BATON_UNLIKELY(!to)) return detail::refuse(m, r, error::bad_task);
  if (BATON_UNLIKELY(detail::is_bad(self, asked.message(), asked.message_bytes(), false) ||
                     detail::is_bad(self, asked.reply_buffer(), asked.reply_capacity(), true))) {
    return detail::refuse(m, r, error::bad_buffer);
  }
  uint8_t how = static_cast<uint8_t>(state::reply_wait);
  if (BATON_UNLIKELY(!to->is(state::receive_wait) || r.timeout != unlimited)) {
    how = detail::how_to_send_now(m, r, to);
    if (how == 0) return m.running;
  }
  return detail::send_to_receiver(m, r, self, to, how);
}

}  // namespace handlers
}  // namespace kernel
}  // namespace baton
