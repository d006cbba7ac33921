// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/scheduler.hpp>

/// Send, receive and reply: the kernel's part of these calls. Each returns the task that runs next.
///
/// States. A client that has sent is in `send_wait` until its server receives the message, then in
/// `reply_wait` until the reply. A server without a message is in `receive_wait`. `tcb::call`
/// points at the request of a waiting task, which lies in that task's memory. The task that ends
/// the wait reads the buffers there, and writes the result there.
///
/// Queues. A client in `send_wait` is in the list `senders` of its server, linked by `next`: the
/// most urgent first, first come, first served among equals. A client in `reply_wait` is in the
/// server's list `lenders` if it is more urgent than the server's own priority. Tasks in
/// `receive_wait` are in no queue. A task whose wait has a timeout is in `timed_waits` besides, and
/// has the bit `timed`.
///
/// Inheritance. `peer` points from a client to its server, in `send_wait` and in `reply_wait`; else
/// it is null. So the waits form a forest, and a task has the highest of its own priority and those
/// of its clients, received or not. A send adds an edge and boosts the servers along it
/// (`boost_priority`); the end of a wait removes the edge first and then recomputes them
/// (`recompute_priority`).
///
/// Copies. A message is copied once, from the sender's buffer to the receiver's, up to the shorter
/// length. The result is the whole length, so that a truncation shows. The kernel stores no
/// message.
///
/// Invariants that other code relies on:
///   - All checks come before the first change: a call that is refused has done nothing. So
///     `reply_receive` checks the buffer of its receive before it replies; only the timeout of its
///     receive comes later, when the reply has happened.
///   - The copy comes last, and each word of a request is read before it is overwritten, because a
///     buffer may overlap any memory of a task, its request included. A view such as `wanted` reads
///     when it is asked: results go to `first`, `second` and, of a receive, `out_length`; the
///     addresses of buffers lie in `in`.
///   - `would_deadlock` is asked only for a server that does not receive: one in `receive_wait`
///     waits for no task.
///   - The right to reply is the token, the edge and the state `reply_wait`, and `client_of` tests
///     all three: a server may guess a token, and a client in `send_wait` has the same `peer`. Each
///     end of such a wait renews the token.
///   - `send_wait` and `reply_wait` differ by one bit: `take_message` flips it and keeps `timed`.
///   - A server takes its message at the send or finds it in `senders` at its `receive`; it is
///     never in `receive_wait` while a client is in its list.
namespace baton {
namespace kernel {

namespace detail {

BATON_INLINE word shorter(word a, word b) {
  return a < b ? a : b;
}

/// True if the buffer is invalid: too long, null with a length, or not accessible to the running
/// task.
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

/// Copies a message to a task that receives. It comes last in a call, because it may overwrite any
/// memory of a task.
BATON_INLINE void deliver(word message, word length, word token, tid sender, receive_request to) {
  to.set_message_bytes(length);
  to.set_client(token);
  to.set_sender(sender);
  copy(to.buffer(), message, shorter(length, to.capacity()));
}

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
  if (would_deadlock(self, to)) {
    if (m.on_deadlock) m.on_deadlock(m, *self, *to);
    return refuse(m, r, error::deadlock);
  }
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
    enqueue_sender(m, r, to);
    return 0;
  }
  if (r.timeout == unlimited) return static_cast<uint8_t>(state::reply_wait);
  arm(m, self, r.timeout);
  return static_cast<uint8_t>(state::reply_wait) | timed;
}

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

/// The second half of `reply_receive` if it does not simply wait.
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
