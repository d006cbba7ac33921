// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/operation.hpp>

/// A protocol with several operations, each with a request type and a reply type of its own.
///
///     struct read_at : baton::kernel::operation<1, read_request, read_reply> {};
///     struct write_at : baton::kernel::operation<2, write_request, write_reply> {};
///     using disk = baton::kernel::service<read_at, write_at>;
///
///     disk::call<read_at>(server, read_request{offset}, answer);  // a client
///     disk::serve(handlers);                                      // the server, for ever
///
/// Context  a request is copied once, from the client to the server, and so is a reply. A message
///          of another protocol gets an error code and reaches no handler.
namespace baton {
namespace kernel {

namespace detail {

template <word... Values>
constexpr bool are_distinct() {
  const word all[] = {Values...};
  for (word i = 0; i < sizeof...(Values); ++i) {
    for (word j = 0; j < i; ++j) {
      if (all[i] == all[j]) return false;
    }
  }
  return true;
}

template <word... Values>
constexpr word largest_of() {
  const word all[] = {Values...};
  word most = 0;
  for (word value : all) most = value > most ? value : most;
  return most;
}

template <typename T>
T& made();

template <bool>
struct truth {};

/// Tells whether a server has a function for an operation.
template <typename Handlers, typename Operation>
struct can_handle {
  template <typename H>
  static auto test(int) -> decltype(handled(made<H>().handle(Operation(), made<const received>(),
                                                             made<const typename Operation::request>(),
                                                             made<typename Operation::reply>())),
                                    char());
  template <typename>
  static long test(...);

  static constexpr bool value = sizeof(test<Handlers>(0)) == sizeof(char);
};

template <typename Operation, typename... Operations>
struct is_one_of {
  static constexpr bool value = false;
};
template <typename Operation, typename First, typename... Rest>
struct is_one_of<Operation, First, Rest...> : is_one_of<Operation, Rest...> {};
template <typename Operation, typename... Rest>
struct is_one_of<Operation, Operation, Rest...> {
  static constexpr bool value = true;
};

/// A server's buffers, and the request in one of them.
struct served {
  received message;
  void* question;
  void* answer;
  word answer_bytes;
};

template <typename Operation, typename Handlers>
inline handled handle(Handlers& handlers, served& s, truth<true>) {
  if (s.message.length() != sizeof(request_message<Operation>)) return handled::error(malformed_request);
  typename Operation::reply& answer = *static_cast<typename Operation::reply*>(s.answer);
  answer = typename Operation::reply();  // what an earlier client got is not for this one
  s.answer_bytes = sizeof answer;
  const auto& question = *static_cast<const request_message<Operation>*>(s.question);
  return handlers.handle(Operation(), static_cast<const received&>(s.message), question.body, answer);
}
template <typename Operation, typename Handlers>
inline handled handle(Handlers&, served&, truth<false>) {
  static_assert(can_handle<Handlers, Operation>::value,
                "the server has no function `handled handle(Operation, const received&, const Operation::request&, "
                "Operation::reply&)` for an operation of its service");
  return handled::error(unknown_operation);
}

/// Calls the function for the request's number among those of some operations.
template <typename... Operations>
struct dispatcher {
  template <typename Handlers>
  static BATON_INLINE handled find(Handlers&, served&, word) {
    return handled::error(unknown_operation);
  }
};
template <typename First, typename... Rest>
struct dispatcher<First, Rest...> {
  template <typename Handlers>
  static BATON_INLINE handled find(Handlers& handlers, served& s, word number) {
    if (number != First::number) return dispatcher<Rest...>::find(handlers, s, number);
    return handle<First>(handlers, s, truth<can_handle<Handlers, First>::value>());
  }
};

}  // namespace detail

/// The operations of a server: the calls of its clients, and its loop.
///
/// Shape    empty; no table: a request's number is compared with each operation's in turn.
template <typename... Operations>
struct service {
  static_assert(sizeof...(Operations) > 0, "a service has one operation at least");
  static_assert(detail::are_distinct<Operations::number...>(), "each operation of a service has a number of its own");

  /// Does `kernel::call` of one of this service's operations.
  template <typename Operation, typename Question>
  static BATON_INLINE ipc_result call(tid server, const Question& question, typename Operation::reply& answer,
                                      time_limit timeout = forever) {
    static_assert(detail::is_one_of<Operation, Operations...>::value, "the service does not have this operation");
    return kernel::call<Operation>(server, question, answer, timeout);
  }

  /// Receives requests and handles them, until a receive ends without one; returns how.
  ///
  /// Shape    for each operation `handlers` has a function `handled handle(Operation, const
  ///          received&, const request&, reply&)`. The reply begins as zeros, and is sent from
  ///          where it is. A client's lease is open until the function returns, or until the
  ///          reply if that is `handled::later()`.
  /// Context  the running task is the server. A client whose timeout came meanwhile gets nothing.
  /// Errors   as `receive`, such as notified or timed_out: call it again to go on.
  template <typename Handlers>
  static ipc_result serve(Handlers& handlers, time_limit timeout = forever) {
    alignas(largest_alignment) unsigned char question[detail::largest_of<sizeof(request_message<Operations>)...>()];
    alignas(largest_alignment) unsigned char answer[detail::largest_of<sizeof(typename Operations::reply)...>()];
    detail::served s = {kernel::receive(question, sizeof question, timeout), question, answer, 0};
    while (s.message) {
      const handled what = handle(handlers, s);
      if (what.is_reply()) {
        s.message = kernel::reply_receive(s.message.client, answer, s.answer_bytes, question, sizeof question, timeout);
        if (s.message.result.why() != error::no_right) continue;  // else the client has gone
      } else if (!what.is_later()) {
        kernel::reply_error(s.message.client, what.code());
      }
      s.message = kernel::receive(question, sizeof question, timeout);
    }
    return s.message.result;
  }

 private:
  static constexpr word largest_alignment =
      detail::largest_of<alignof(request_message<Operations>)..., alignof(typename Operations::reply)...>();

  template <typename Handlers>
  static BATON_INLINE handled handle(Handlers& handlers, detail::served& s) {
    if (s.message.length() < sizeof(word)) return handled::error(malformed_request);
    return detail::dispatcher<Operations...>::find(handlers, s, *static_cast<const word*>(s.question));
  }
};

}  // namespace kernel
}  // namespace baton
