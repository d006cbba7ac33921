// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/syscalls.hpp>

/// The operations of a service, and a client's call of one. See service.hpp.
namespace baton {
namespace kernel {

/// The error codes that a service gives by itself: the largest ones.
constexpr word unknown_operation = largest_error_code;
constexpr word malformed_request = largest_error_code - 1;
constexpr word malformed_reply = largest_error_code - 2;

/// An operation of a service, as the base of a type that names it.
template <uint16_t Number, typename Request, typename Reply>
struct operation {
  static_assert(__is_trivially_copyable(Request) && __is_trivially_copyable(Reply),
                "a message is copied from task to task byte by byte: it must be trivially copyable");
  static_assert(sizeof(Request) < longest_message / 2 && sizeof(Reply) <= longest_message,
                "a message is at most kernel::longest_message bytes, and a request half of that: lend the rest");

  using request = Request;
  using reply = Reply;
  static constexpr word number = Number;
};

/// A request as it is sent: the number of its operation, and the request itself. A client may keep
/// a large one and change it between two calls.
template <typename Operation>
struct request_message {
  word number = Operation::number;
  typename Operation::request body;
};

/// The decision of a handler about a request.
class handled {
 public:
  /// The reply is filled in: send it.
  static constexpr handled reply() { return handled(0); }
  /// End the call with an error code, 1 to `largest_error_code`; any other becomes
  /// `malformed_reply`, so that the client gets an answer.
  static constexpr handled error(word code) { return handled(code - 1 < largest_error_code ? code : malformed_reply); }
  /// The handler has kept the token of the message, and will reply to it later.
  static constexpr handled later() { return handled(static_cast<word>(-1)); }

  constexpr bool is_reply() const { return raw_ == 0; }
  constexpr bool is_later() const { return raw_ == static_cast<word>(-1); }
  constexpr word code() const { return raw_; }

 private:
  constexpr explicit handled(word raw) : raw_(raw) {}

  word raw_;
};

/// Asks a server to do an operation, and waits for its reply.
///
/// Errors   as `send`. server_error: the server has given an error code, or it is not of this
///          protocol: `malformed_reply` and the other codes above. With a length, the reply is
///          whole.
template <typename Operation>
inline ipc_result call(tid server, const request_message<Operation>& question, typename Operation::reply& answer,
                       time_limit timeout = forever) {
  const ipc_result o = send(server, &question, sizeof question, &answer, sizeof answer, timeout);
  return o.is_ok() && o.length() != sizeof answer ? ipc_result::of_error_code(malformed_reply) : o;
}

/// The same for a request alone, which the compiler puts beside its number.
template <typename Operation>
BATON_INLINE ipc_result call(tid server, const typename Operation::request& question, typename Operation::reply& answer,
                             time_limit timeout = forever) {
  return call<Operation>(server, request_message<Operation>{Operation::number, question}, answer, timeout);
}

}  // namespace kernel
}  // namespace baton
