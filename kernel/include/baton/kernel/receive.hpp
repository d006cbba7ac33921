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

}  // namespace handlers
}  // namespace kernel
}  // namespace baton
