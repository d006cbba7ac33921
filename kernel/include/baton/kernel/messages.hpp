// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/lending.hpp>
#include <baton/kernel/reply.hpp>
#include <baton/kernel/send.hpp>

/// Send, receive and reply: the kernel's part of these calls. Each returns the task that runs next.
///
/// States. A client that has sent is in `send_wait` until its server receives the message, then in
/// `reply_wait` until the reply. A server without a message is in `receive_wait`, or in
/// `from_wait` if it wants that of one task alone. `tcb::call` points at the request of a waiting
/// task, which lies in that task's memory. The task that ends the wait reads the buffers there,
/// and writes the result there.
///
/// Queues. A client in `send_wait` is in the list `senders` of its server, linked by `next`: the
/// most urgent first, first come, first served among equals. A client in `reply_wait` is in the
/// server's list `lenders` if it is more urgent than the server's own priority, and so is a task
/// in `from_wait` with the task that it waits for. Tasks in `receive_wait` are in no queue. A task
/// whose wait has a timeout is in `timed_waits` besides, and has the bit `timed`.
///
/// Inheritance. `peer` points from a client to its server, in `send_wait` and in `reply_wait`, and
/// in `from_wait` from the receiver to the sender; else it is null. So the waits form a forest,
/// and a task has the highest of its own priority and those of its clients, received or not. A
/// send or a `receive_from` adds an edge and boosts the servers along it (`boost_priority`); the
/// end of a wait removes the edge first and then recomputes them (`recompute_priority`).
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
///     waits for no task. A cycle of two may be the message that a task in `from_wait` waits for.
///   - The right to reply is the token, the edge and the state `reply_wait`, and `client_of` tests
///     all three: a server may guess a token, and in `send_wait` and `from_wait` there is a `peer`,
///     too. Each end of such a wait renews the token.
///   - `send_wait` and `reply_wait` differ by one bit: `take_message` flips it and keeps `timed`
///     and `lending`.
///   - A server takes its message at the send or finds it in `senders` at its `receive`; it is
///     never in `receive_wait` while a client is in its list.
