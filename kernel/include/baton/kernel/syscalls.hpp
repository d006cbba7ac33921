// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/dispatch.hpp>
#include <baton/kernel_switch.hpp>

/// The calls of a task. Each is one call of the kernel; every call that may wait has a timeout.
namespace baton {
namespace kernel {

/// The result of a receive: the sender, the right to reply to its message, and the length of that.
/// The message was truncated if the length is more than the buffer holds.
struct received {
  ipc_result result;
  reply_token client;
  tid from;

  explicit operator bool() const { return result.is_ok(); }
  word length() const { return result.length(); }
};

/// The result of a wait for notification bits: the bits that were taken.
struct notifications {
  ipc_result result;
  word bits;

  explicit operator bool() const { return result.is_ok(); }
};

namespace detail {

BATON_INLINE word address_of(const void* p) {
  return reinterpret_cast<word>(p);
}

}  // namespace detail

/// Gives a message to a task and waits for its reply. See `handlers::send`.
/// Context  the length of the result is that of the reply.
BATON_INLINE ipc_result send(tid to, const void* message, word bytes, void* reply, word reply_bytes,
                             time_limit timeout = forever) {
  return ipc_result(kernel_switch::call<call_number::send>(to, detail::address_of(message), bytes,
                                                           detail::address_of(reply), reply_bytes, timeout.ticks())
                        .first);
}

/// Does `send`, and lends memory to the receiver until the call ends, by however many leases. See
/// `handlers::send_lending`.
///
///     send_lending(disk, &request, sizeof request, &reply, sizeof reply,
///                  {lend_to_read(data, 4096)});
template <word Count>
BATON_INLINE ipc_result send_lending(tid to, const void* message, word bytes, void* reply, word reply_bytes,
                                     const lease (&leases)[Count], time_limit timeout = forever) {
  lease_list_of<Count> list;
  list.head = lease_list{to, Count};
  for (word i = 0; i < Count; ++i) list.pieces[i] = leases[i];
  return ipc_result(
      kernel_switch::call<call_number::send_lending>(detail::address_of(&list), detail::address_of(message), bytes,
                                                     detail::address_of(reply), reply_bytes, timeout.ticks())
          .first);
}

/// Copies from a piece of memory that a client has lent with its message; pieces count from 0. See
/// `handlers::copy_from`.
BATON_INLINE ipc_result copy_from(reply_token client, word piece, word offset, void* buffer, word bytes) {
  return ipc_result(kernel_switch::call<call_number::copy_from>(client.raw, offset, piece, detail::address_of(buffer),
                                                                bytes, unlimited)
                        .first);
}

/// Copies into a piece of memory that a client has lent with its message. See `handlers::copy_to`.
BATON_INLINE ipc_result copy_to(reply_token client, word piece, word offset, const void* buffer, word bytes) {
  return ipc_result(
      kernel_switch::call<call_number::copy_to>(client.raw, offset, piece, detail::address_of(buffer), bytes, unlimited)
          .first);
}

/// Takes the most urgent sender's message, or waits for one. See `handlers::receive`.
BATON_INLINE received receive(void* buffer, word bytes, time_limit timeout = forever) {
  const answer a = kernel_switch::call_in<call_number::receive>(detail::address_of(buffer), bytes, timeout.ticks());
  return received{ipc_result(a.first), {a.second}, a.third};
}

/// Takes the message of one task, or waits for it; the other senders wait on. See
/// `handlers::receive_from`.
BATON_INLINE received receive_from(tid sender, void* buffer, word bytes, time_limit timeout = forever) {
  const answer a =
      kernel_switch::call<call_number::receive_from>(sender, 0, 0, detail::address_of(buffer), bytes, timeout.ticks());
  return received{ipc_result(a.first), {a.second}, a.third};
}

/// Ends a client's wait with a reply. Never waits. The length of the result is the number of bytes
/// that fitted. See `handlers::reply`.
BATON_INLINE ipc_result reply(reply_token client, const void* message, word bytes) {
  return ipc_result(kernel_switch::call_out<call_number::reply>(client.raw, detail::address_of(message), bytes).first);
}

/// Ends a client's wait with an error code, 1 to `largest_error_code`, in place of a reply. Never
/// waits. The client's `send` has `error::server_error`, and the code as its `error_code()`. See
/// `handlers::reply_error`.
BATON_INLINE ipc_result reply_error(reply_token client, word code) {
  return ipc_result(kernel_switch::call_out<call_number::reply_error>(client.raw, code, 0).first);
}

/// Does `reply` to a client, then `receive`: one trap less. With no_client it only receives. See
/// `handlers::reply_receive`.
BATON_INLINE received reply_receive(reply_token client, const void* message, word bytes, void* buffer,
                                    word buffer_bytes, time_limit timeout = forever) {
  const answer a = kernel_switch::call<call_number::reply_receive>(
      client.raw, detail::address_of(message), bytes, detail::address_of(buffer), buffer_bytes, timeout.ticks());
  return received{ipc_result(a.first), {a.second}, a.third};
}

/// Lets the other tasks that are as urgent run first.
BATON_INLINE void yield() {
  kernel_switch::call_out<call_number::yield>(0, 0, 0);
}

/// Ends the running task. The tasks that wait for it get `peer_gone`.
__attribute__((noreturn)) inline void exit() {
  kernel_switch::call_out<call_number::exit>(0, 0, 0);
  __builtin_unreachable();
}

BATON_INLINE tid my_tid() {
  return kernel_switch::call_out<call_number::my_tid>(0, 0, 0).first;
}

/// The id of the task that made the running one or, if that has ended, of the nearest maker before
/// it; no_task if that is main.
BATON_INLINE tid parent() {
  return kernel_switch::call_out<call_number::parent>(0, 0, 0).first;
}

/// Makes a task, ready at once. See `handlers::create`.
inline created create(const task_description& d) {
  const answer a = kernel_switch::call_out<call_number::create>(0, detail::address_of(&d), sizeof d);
  return created{ipc_result(a.first), a.second};
}

/// Ends a child, or, with privileges, any task. See `handlers::kill`.
inline ipc_result kill(tid id) {
  return ipc_result(kernel_switch::call_out<call_number::kill>(id, 0, 0).first);
}

/// Waits until an interrupt has raised the interrupt event. See `handlers::wait_interrupt_event`.
inline ipc_result wait_interrupt_event(uint8_t event, time_limit timeout = forever) {
  return ipc_result(kernel_switch::call<call_number::wait_interrupt_event>(event, 0, 0, 0, 0, timeout.ticks()).first);
}

/// Sets notification bits of a task. Never waits. See `handlers::notify`.
inline ipc_result notify(tid id, word bits) {
  return ipc_result(kernel_switch::call_out<call_number::notify>(id, bits, 0).first);
}

/// Waits until one of the bits is set, and takes those that are set. See
/// `handlers::wait_notification`.
inline notifications wait_notification(word bits, time_limit timeout = forever) {
  const answer a = kernel_switch::call<call_number::wait_notification>(bits, 0, 0, 0, 0, timeout.ticks());
  return notifications{ipc_result(a.first), a.second};
}

/// Makes notification bits end the running task's `receive` with `error::notified`. See
/// `handlers::set_notification_mask`.
inline void set_notification_mask(word bits) {
  kernel_switch::call_out<call_number::set_notification_mask>(bits, 0, 0);
}

/// Waits for a time; 0 is a `yield`.
inline ipc_result sleep(duration length) {
  return ipc_result(kernel_switch::call<call_number::sleep>(0, 0, 0, 0, 0, length.ticks()).first);
}

/// The current tick.
inline tick now() {
  const answer a = kernel_switch::call_out<call_number::now>(0, 0, 0);
  constexpr bool fits = sizeof(tick) <= sizeof(word);
  return static_cast<tick>(a.first) | (fits ? 0 : static_cast<tick>(a.second) << (fits ? 0 : sizeof(word) * 8));
}

/// Reports on the task at a slot of the table, for lists of tasks.
/// Errors   bad_task: the table has no such slot. bad_buffer.
inline ipc_result inspect(uint8_t slot, task_report& r) {
  return ipc_result(
      kernel_switch::call<call_number::inspect>(slot, 0, 0, detail::address_of(&r), sizeof r, unlimited).first);
}

/// Takes the oldest report on the end of a task that is for the running one. See
/// `handlers::take_end_report`.
inline ipc_result take_end_report(end_report& r) {
  return ipc_result(
      kernel_switch::call<call_number::take_end_report>(0, 0, 0, detail::address_of(&r), sizeof r, unlimited).first);
}

/// Waits until a task has ended of which the running one is told, and takes the report.
/// Context  a task other than the coroutine server.
/// Errors   timed_out; would_wait: the timeout was 0. bad_call: the program has no `end_reports`.
inline ipc_result wait_end_report(end_report& r, time_limit timeout = forever) {
  for (;;) {
    const ipc_result taken = take_end_report(r);
    if (taken.why() != error::would_wait) return taken;
    // The bit may be that of a report which was taken before: it ends the first wait alone.
    const notifications told = wait_notification(ended_notification, timeout);
    if (!told) return told.result;
  }
}

/// A server's protocol, as the types of its requests and replies: the kernel's calls for values
/// instead of bytes.
///
///     using adder = baton::kernel::protocol<pair, int32_t>;
///     adder::call(server, pair{1, 2}, sum);
///
/// Shape    empty; each function is one call of the kernel.
/// Errors   as the calls. If a length is not that of the type, the other side speaks another
///          protocol: `is_whole` is false.
template <typename Request, typename Reply>
struct protocol {
  static_assert(__is_trivially_copyable(Request) && __is_trivially_copyable(Reply),
                "a message is copied from task to task byte by byte: it must be trivially copyable");
  static_assert(sizeof(Request) <= longest_message && sizeof(Reply) <= longest_message,
                "a message is at most kernel::longest_message bytes");

  /// Gives a request to a task and waits for its reply.
  static BATON_INLINE ipc_result call(tid server, const Request& question, Reply& answer,
                                      time_limit timeout = forever) {
    return send(server, &question, sizeof question, &answer, sizeof answer, timeout);
  }

  /// Takes a request, or waits for one.
  static BATON_INLINE received receive(Request& question, time_limit timeout = forever) {
    return kernel::receive(&question, sizeof question, timeout);
  }

  /// Ends a client's wait with a reply. Never waits.
  static BATON_INLINE ipc_result reply(reply_token client, const Reply& answer) {
    return kernel::reply(client, &answer, sizeof answer);
  }

  /// Does `reply` to a client, then `receive`: one trap less. With no_client it only receives.
  static BATON_INLINE received reply_receive(reply_token client, const Reply& answer, Request& question,
                                             time_limit timeout = forever) {
    return kernel::reply_receive(client, &answer, sizeof answer, &question, sizeof question, timeout);
  }

  /// True if a message that was received is a request.
  static constexpr bool is_whole(const received& m) { return m.result.is_ok() && m.result.length() == sizeof(Request); }

  /// True if the result of a call is a whole reply.
  static constexpr bool is_whole(const ipc_result& o) { return o.is_ok() && o.length() == sizeof(Reply); }
};

/// Gives a request to a task and waits for its reply. See `protocol::call`.
template <typename Request, typename Reply>
BATON_INLINE ipc_result call(tid server, const Request& question, Reply& answer, time_limit timeout = forever) {
  return protocol<Request, Reply>::call(server, question, answer, timeout);
}

}  // namespace kernel
}  // namespace baton
