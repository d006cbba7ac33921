// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/delivery.hpp>

/// Receive: the kernel's part of the call. See messages.hpp.
namespace baton {
namespace kernel {

namespace detail {

/// Waits for a message with a timeout, or with a notification mask, when no message is there.
BATON_NOINLINE inline tcb* receive_slowly(kernel_state& m, request& r) {
  if (m.running->notification_mask & m.running->notifications) return refuse(m, r, error::notified);
  if (m.running == m.coroutine_server && port::attention::raised()) return refuse(m, r, error::notified);
  return wait_or_refuse(m, r, state::receive_wait);
}

/// Takes the message of the most urgent sender, if there is one.
BATON_INLINE bool take_message(request& r, tcb* self) {
  if (!self->senders) return false;
  tcb* client = senders::pop(self);
  client->state_bits |= static_cast<uint8_t>(state::send_wait) ^ static_cast<uint8_t>(state::reply_wait);
  if (lenders::has(self, client)) lenders::insert(self, client);
  const send_request sent = as_send(*client->call);
  deliver(sent.message(), sent.message_bytes(), client->token, client->id, as_receive(r));
  return true;
}

/// Receives, where size matters more than speed.
BATON_NOINLINE inline tcb* only_receive(kernel_state& m, request& r) {
  return take_message(r, m.running) ? m.running : receive_slowly(m, r);
}

/// Waits for a message of one task, which inherits the caller's priority.
inline tcb* wait_for_message_of(kernel_state& m, request& r, tcb* from) {
  tcb* self = m.running;
  const error e = timeout_error(r.timeout);
  if (e != error::none) return refuse(m, r, e);
  if (would_deadlock(self, from)) return refuse_cycle(m, r, from);
  self->peer = from;
  wait(m, r, state::from_wait);
  if (lenders::has(from, self)) lenders::insert(from, self);
  boost_priority(m, from, self->priority);
  return m.next();
}

}  // namespace detail

namespace handlers {

/// Takes the message of the most urgent sender, or waits for one.
///
/// Errors   bad_buffer, bad_timeout, would_wait, timed_out: no message was taken. notified: no
///          message was taken either, because a bit of the caller's notification mask is set;
///          `wait_notification` takes it. The task that runs the coroutines also gets it when
///          attention is raised.
BATON_INLINE tcb* receive(kernel_state& m, request& r) {
  tcb* self = m.running;
  if (BATON_UNLIKELY(detail::has_bad_buffer(self, as_receive(r)))) return detail::refuse(m, r, error::bad_buffer);
  if (detail::take_message(r, self)) return self;
  if (BATON_UNLIKELY(self->notification_mask || r.timeout != unlimited)) return detail::receive_slowly(m, r);
  self->call = &r;
  self->become(state::receive_wait);
  return m.next_inline();
}

/// Takes the message of one task, or waits for it. The messages of others stay in the queue.
///
/// Context  that task, and those for which it waits, inherit the caller's priority meanwhile.
/// Errors   bad_task, bad_buffer, bad_timeout, would_wait; deadlock: the task waits for the caller,
///          for example for a reply. timed_out; peer_gone: the task has ended. No message was
///          taken. Notification bits do not end it.
inline tcb* receive_from(kernel_state& m, request& r) {
  tcb* self = m.running;
  tcb* from = m.find(as_receive_from(r).source());
  if (!from) return detail::refuse(m, r, error::bad_task);
  if (detail::has_bad_buffer(self, as_receive(r))) return detail::refuse(m, r, error::bad_buffer);
  if (from->peer != self || from->state() != state::send_wait) return detail::wait_for_message_of(m, r, from);
  senders::remove(self, from);
  senders::push_front(self, from);
  return detail::only_receive(m, r);
}

}  // namespace handlers
}  // namespace kernel
}  // namespace baton
