// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/syscalls.hpp>

namespace baton {
namespace kernel {

/// What a server's clients say and what it answers, as types: the kernel's calls for values instead of bytes.
///
///     using adder = baton::kernel::protocol<pair, int32_t>;
///     adder::call(server, pair{1, 2}, sum);
///
/// Shape    nothing; each function is one call of the kernel.
/// Errors   as the calls. A length that is not the type's says that the other side speaks another protocol: `is_whole` tells.
template <typename Request, typename Reply>
struct protocol {
  static_assert(__is_trivially_copyable(Request) && __is_trivially_copyable(Reply),
                "a message is copied from task to task byte by byte: it must be trivially copyable");
  static_assert(sizeof(Request) <= longest_message && sizeof(Reply) <= longest_message,
                "a message is at most kernel::longest_message bytes");

  /// Gives a request to a task and waits for its reply.
  static BATON_INLINE ipc_result call(tid server, const Request& question, Reply& answer, tick timeout = forever) {
    return send(server, &question, sizeof question, &answer, sizeof answer, timeout);
  }

  /// Takes a request, or waits for one.
  static BATON_INLINE received receive(Request& question, tick timeout = forever) {
    return kernel::receive(&question, sizeof question, timeout);
  }

  /// Ends a client's wait. Never waits.
  static BATON_INLINE ipc_result reply(tid client, const Reply& answer) {
    return kernel::reply(client, &answer, sizeof answer);
  }

  /// `reply` to a client, then `receive`: one trap less. With no_task it only receives.
  static BATON_INLINE received reply_receive(tid client, const Reply& answer, Request& question,
                                             tick timeout = forever) {
    return kernel::reply_receive(client, &answer, sizeof answer, &question, sizeof question, timeout);
  }

  /// Whether a message that was received is a request.
  static constexpr bool is_whole(const received& m) { return m.result.is_ok() && m.result.length() == sizeof(Request); }

  /// Whether an answer that came is a reply.
  static constexpr bool is_whole(const ipc_result& o) { return o.is_ok() && o.length() == sizeof(Reply); }
};

/// Gives a request to a task and waits for its reply. See `protocol::call`.
template <typename Request, typename Reply>
BATON_INLINE ipc_result call(tid server, const Request& question, Reply& answer, tick timeout = forever) {
  return protocol<Request, Reply>::call(server, question, answer, timeout);
}

}  // namespace kernel
}  // namespace baton
