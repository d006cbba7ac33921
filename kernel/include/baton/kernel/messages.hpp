// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/scheduler.hpp>

/// Send, receive, reply: what the kernel does at these calls. Each returns which task runs next.
namespace baton {
namespace kernel {

namespace detail {

BATON_INLINE word shorter(word a, word b) {
  return a < b ? a : b;
}

/// A length that is none, nothing where something is meant, or memory that is not the running task's.
BATON_INLINE bool is_bad(const tcb* self, word address, word length, bool is_written) {
  if (kernel_port::protects_memory) {
    return !kernel_port::may_access(self->context, reinterpret_cast<const void*>(address), length, is_written);
  }
  if (BATON_UNLIKELY(length > longest_message)) return true;
  if (BATON_UNLIKELY(address == 0)) return length != 0;
  return false;
}

BATON_INLINE bool has_bad_buffer(const tcb* self, receive_request r) {
  return is_bad(self, r.buffer(), r.capacity(), true);
}

BATON_INLINE void copy(word to, word from, word bytes) {
  kernel_port::copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
}

/// Gives a message to a task that asked for one. The last thing that a call does, because it may overwrite anything of a task's.
BATON_INLINE void deliver(word message, word length, tid sender, receive_request to) {
  to.set_message_bytes(length);
  to.set_sender(sender);
  copy(to.buffer(), message, shorter(length, to.capacity()));
}

/// To a task that has waited for a message: it runs next, and the running one waits for its reply, in the state `how`.
BATON_INLINE tcb* send_to_receiver(kernel_state& m, request& r, tcb* self, tcb* to, uint8_t how) {
  // Read once, though what is written below might be they.
  const word message = as_send(r).message(), length = as_send(r).message_bytes();
  const receive_request wanted = as_receive(*to->call);
  self->call = &r;
  self->peer = to;
  self->state_bits = how;
  to->become(state::ready);
  if (to->priority < self->priority) to->priority = self->priority;
  tcb* next = hand_over(m, to);
  deliver(message, length, self->id, wanted);
  if (next == self) __builtin_unreachable();
  return next;
}

/// A send to a task that does not receive.
inline tcb* enqueue_sender(kernel_state& m, request& r, tcb* to) {
  tcb* self = m.running;
  if (would_deadlock(self, to)) {
    if (m.on_deadlock) m.on_deadlock(m, *self, *to);
    return refuse(m, r, error::deadlock);
  }
  self->peer = to;
  wait(m, r, state::send_wait);
  senders::insert(to, self);
  boost_priority(m, to, self->priority);
  return m.next();
}

BATON_INLINE uint8_t refuse_send(kernel_state& m, request& r, error e) {
  refuse(m, r, e);
  return 0;
}

/// A send that has a timeout, or to a task that does not wait without one. 0: it is refused or queued, and another task may run.
/// Context  else `to` takes the message now, and this is how the sender waits for its reply: `reply_wait`, maybe `timed`.
BATON_NOINLINE inline uint8_t how_to_send_now(kernel_state& m, request& r, tcb* to) {
  tcb* self = m.running;
  const error e = to->is_free() ? error::bad_task : timeout_error(r.timeout);
  if (e != error::none) return refuse_send(m, r, e);
  if (!take_from(m, to, state::receive_wait)) {
    enqueue_sender(m, r, to);
    return 0;
  }
  if (r.timeout == forever) return static_cast<uint8_t>(state::reply_wait);
  arm(m, self, r.timeout);
  return static_cast<uint8_t>(state::reply_wait) | timed;
}

BATON_INLINE tcb* refuse_reply(kernel_state& m, request& r, error e) {
  refuse(m, r, e);
  return nullptr;
}

/// The client that the running task may reply to. Null: it has none of this id, and the call ends with an error.
BATON_INLINE tcb* client_of(kernel_state& m, request& r, tcb* self) {
  const reply_request asked = as_reply(r);
  tcb* client = m.at(asked.client());
  if (BATON_UNLIKELY(!client)) return refuse_reply(m, r, error::bad_task);
  if (BATON_UNLIKELY(client->peer != self)) {
    return refuse_reply(m, r, client->is_free() ? error::bad_task : error::no_right);
  }
  if (BATON_UNLIKELY(is_bad(self, asked.message(), asked.message_bytes(), false))) {
    return refuse_reply(m, r, error::bad_buffer);
  }
  if (BATON_UNLIKELY(!take_from(m, client, state::reply_wait))) return refuse_reply(m, r, error::no_right);
  return client;
}

/// Ends a client's wait with a reply. It is ready then, but in no queue.
/// Context  true: the running task may have lost an inherited priority, so that others are more urgent now.
BATON_INLINE bool answer_client(kernel_state& m, request& r, tcb* self, tcb* client) {
  const word message = as_reply(r).message(), length = as_reply(r).message_bytes();
  const send_request waiting = as_send(*client->call);
  client->become(state::ready);
  client->peer = nullptr;
  const bool has_inherited = self->priority != self->base_priority;
  if (BATON_UNLIKELY(has_inherited)) recompute_priority(m, self);
  const word fits = shorter(length, waiting.reply_capacity());
  waiting.set_reply_bytes(length);
  as_reply(r).set_copied_bytes(fits);
  copy(waiting.reply_buffer(), message, fits);
  return has_inherited;
}

/// To a client that is more urgent than who has replied: it runs next, behind its equals.
BATON_NOINLINE inline tcb* switch_to(kernel_state& m, tcb* self, tcb* client) {
  if (BATON_LIKELY(m.ready.from(client->priority) == 0)) {
    m.ready.push_front(self);
    return m.running = client;
  }
  m.ready.push(client);
  return m.yield_to_higher_priority();
}

/// A receive that has a timeout, or of a task that listens for notification bits, where no message is there.
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
  const send_request sent = as_send(*client->call);
  deliver(sent.message(), sent.message_bytes(), client->id, as_receive(r));
  return true;
}

/// The second half of `reply_receive` where it does not just wait.
BATON_NOINLINE inline tcb* only_receive(kernel_state& m, request& r) {
  return take_message(r, m.running) ? m.running : receive_slowly(m, r);
}

BATON_NOINLINE inline tcb* receive_after_reply(kernel_state& m, request& r, tcb* client) {
  tcb* self = m.running;
  m.ready.push(client);
  tcb* next = only_receive(m, r);
  return next == self ? m.yield_to_higher_priority() : next;
}

}  // namespace detail

namespace handlers {

/// Gives a message to another task, and waits for its reply.
///
/// Context  a receiver that waits runs next, before others that are as urgent; else the caller queues by priority, and the receiver inherits it.
/// Errors   bad_task, bad_buffer, bad_timeout, would_wait, deadlock: nothing happened. timed_out: nothing happened, or it was
///          received and a reply to it is refused. peer_gone: the receiver has ended.
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
  if (BATON_UNLIKELY(!to->is(state::receive_wait) || r.timeout != forever)) {
    how = detail::how_to_send_now(m, r, to);
    if (how == 0) return m.running;
  }
  return detail::send_to_receiver(m, r, self, to, how);
}

/// Takes the message of the most urgent sender, or waits for one.
///
/// Errors   bad_buffer, bad_timeout, would_wait, timed_out: no message was taken. notified: nor was one, because a bit came that the
///          caller listens for; `wait_notification` takes it.
BATON_INLINE tcb* receive(kernel_state& m, request& r) {
  tcb* self = m.running;
  if (BATON_UNLIKELY(detail::has_bad_buffer(self, as_receive(r)))) return detail::refuse(m, r, error::bad_buffer);
  if (detail::take_message(r, self)) return self;
  if (BATON_UNLIKELY(self->notification_mask || r.timeout != forever)) return detail::receive_slowly(m, r);
  self->call = &r;
  self->become(state::receive_wait);
  return m.next_inline();
}

/// Ends a client's wait. Never waits.
///
/// Context  the result is the number of bytes that fitted. A client that is more urgent runs next.
/// Errors   bad_task: the client has ended. no_right: it does not wait for a reply of the caller's: it never did, its timeout came, or
///          it was replied to. bad_buffer. Nothing happened.
BATON_INLINE tcb* reply(kernel_state& m, request& r) {
  tcb* self = m.running;
  tcb* client = detail::client_of(m, r, self);
  if (BATON_UNLIKELY(!client)) return self;
  const bool has_inherited = detail::answer_client(m, r, self, client);
  if (BATON_UNLIKELY(client->priority > self->priority)) return detail::switch_to(m, self, client);
  m.ready.push_inline(client);
  return BATON_UNLIKELY(has_inherited) ? m.yield_to_higher_priority() : self;
}

/// `reply`, then `receive`, in one call. With the client `no_task` it only receives.
///
/// Errors   as those of `reply`: then nothing was received either. bad_timeout, would_wait, timed_out: the reply happened.
BATON_INLINE tcb* reply_receive(kernel_state& m, request& r) {
  tcb* self = m.running;
  if (BATON_UNLIKELY(detail::has_bad_buffer(self, as_receive(r)))) return detail::refuse(m, r, error::bad_buffer);
  if (BATON_UNLIKELY(as_reply(r).client() == no_task)) return detail::only_receive(m, r);
  tcb* client = detail::client_of(m, r, self);
  if (BATON_UNLIKELY(!client)) return self;
  detail::answer_client(m, r, self, client);
  if (BATON_UNLIKELY(self->senders || self->notification_mask || r.timeout != forever))
    return detail::receive_after_reply(m, r, client);
  self->call = &r;
  self->become(state::receive_wait);
  return detail::hand_over(m, client);
}

}  // namespace handlers
}  // namespace kernel
}  // namespace baton
