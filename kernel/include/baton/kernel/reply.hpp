// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/receive.hpp>

/// Reply, alone and with a receive: the kernel's part of the calls. See messages.hpp.
namespace baton {
namespace kernel {

namespace detail {

BATON_INLINE tcb* refuse_reply(kernel_state& m, request& r, error e) {
  refuse(m, r, e);
  return nullptr;
}

/// The client that the running task may reply to. Its timeout is disarmed. Null: none waits for it,
/// and the call ends with an error.
BATON_INLINE tcb* client_of(kernel_state& m, request& r, tcb* self) {
  const reply_request asked = as_reply(r);
  tcb* client = m.client(asked.client());
  if (BATON_UNLIKELY(!client || client->peer != self)) return refuse_reply(m, r, error::no_right);
  if (BATON_UNLIKELY(is_bad(self, asked.message(), asked.message_bytes(), false))) {
    return refuse_reply(m, r, error::bad_buffer);
  }
  if (BATON_UNLIKELY(!take_from(m, client, state::reply_wait))) return refuse_reply(m, r, error::no_right);
  return client;
}

/// Takes from the running task what it has inherited from a client. It is in no queue, and waits
/// for nobody.
BATON_NOINLINE inline void give_back_priority(tcb* self, tcb* client) {
  if (lenders::has(self, client)) lenders::remove(self, client);
  self->priority = inherited_priority(self);
}

/// Ends a client's wait with a reply. The client is ready then, but in no queue. true: the running
/// task may have lost an inherited priority, so that others may be more urgent.
BATON_INLINE bool answer_client(request& r, tcb* self, tcb* client) {
  const word message = as_reply(r).message(), length = as_reply(r).message_bytes();
  const send_request waiting = as_send(*client->call);
  client->become(state::ready);
  client->peer = nullptr;
  client->renew_token();
  const bool has_inherited = self->priority != self->base_priority;
  if (BATON_UNLIKELY(has_inherited)) give_back_priority(self, client);
  const word fits = shorter(length, waiting.reply_capacity());
  waiting.set_reply_bytes(length);
  as_reply(r).set_copied_bytes(fits);
  copy(waiting.reply_buffer(), message, fits);
  return has_inherited;
}

/// Switches to a client that is more urgent than the task that has replied: it runs next, behind
/// its equals.
BATON_NOINLINE inline tcb* switch_to(kernel_state& m, tcb* self, tcb* client) {
  if (BATON_LIKELY(m.ready.from(client->priority) == 0)) {
    m.ready.push_front(self);
    return m.running = client;
  }
  m.ready.push(client);
  return m.yield_to_higher_priority();
}

BATON_NOINLINE inline tcb* receive_after_reply(kernel_state& m, request& r, tcb* client) {
  tcb* self = m.running;
  m.ready.push(client);
  tcb* next = only_receive(m, r);
  return next == self ? m.yield_to_higher_priority() : next;
}

}  // namespace detail

namespace handlers {

/// Ends a client's wait with a reply. Never waits.
///
/// Context  the result is the number of bytes that fitted. A client that is more urgent runs next.
/// Errors   no_right: no client waits for the caller's reply to this message: it was for another
///          task, its client has ended, its timeout came, or it has got its reply. bad_buffer.
///          Nothing happened.
BATON_INLINE tcb* reply(kernel_state& m, request& r) {
  tcb* self = m.running;
  tcb* client = detail::client_of(m, r, self);
  if (BATON_UNLIKELY(!client)) return self;
  const bool has_inherited = detail::answer_client(r, self, client);
  if (BATON_UNLIKELY(client->priority > self->priority)) return detail::switch_to(m, self, client);
  m.ready.push_inline(client);
  return BATON_UNLIKELY(has_inherited) ? m.yield_to_higher_priority() : self;
}

/// Ends a client's wait with an error code in place of a reply. Never waits.
///
/// Context  a client that is more urgent runs next.
/// Errors   no_right: as for `reply`, or the code is not 1 to `largest_error_code`: all other
///          results are the kernel's to give. Nothing happened.
inline tcb* reply_error(kernel_state& m, request& r) {
  const word code = as_reply_error(r).code();
  tcb* client = m.client(as_reply_error(r).client());
  const bool waits = client && client->peer == m.running && client->state() == state::reply_wait;
  if (!waits || code - 1 >= largest_error_code) return detail::refuse(m, r, error::no_right);
  detail::leave(m, client);
  detail::wake(m, client, ipc_result::of_error_code(code));
  detail::complete(r, error::none);
  return m.yield_to_higher_priority();
}

/// Does `reply`, then `receive`, in one call. With `no_client` it only receives.
///
/// Errors   no_right, bad_buffer: nothing happened. bad_timeout, would_wait, timed_out,
///          notified: the reply happened, and no message was taken.
BATON_INLINE tcb* reply_receive(kernel_state& m, request& r) {
  tcb* self = m.running;
  if (BATON_UNLIKELY(detail::has_bad_buffer(self, as_receive(r)))) return detail::refuse(m, r, error::bad_buffer);
  if (BATON_UNLIKELY(as_reply(r).client() == no_client.raw)) return detail::only_receive(m, r);
  tcb* client = detail::client_of(m, r, self);
  if (BATON_UNLIKELY(!client)) return self;
  detail::answer_client(r, self, client);
  if (BATON_UNLIKELY(self->senders || self->notification_mask || r.timeout != unlimited))
    return detail::receive_after_reply(m, r, client);
  self->call = &r;
  self->become(state::receive_wait);
  return detail::hand_over(m, client);
}

}  // namespace handlers
}  // namespace kernel
}  // namespace baton
