// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/operation.hpp>
#include <baton/async/timed.hpp>
#include <boost/asio/async_result.hpp>
#include <type_traits>
#include <utility>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {

/// The completion token of Baton: with it, an asynchronous function of Asio, or of a library on top
/// of Asio, returns an operation to `co_await`.
///
///     auto [error, bytes] = co_await socket.async_read_some(boost::asio::buffer(text), use_baton);
///
/// Context  a coroutine of a loop over `asio::poller`. `operation` states the order of resumption,
///          the effect of a cancel, the cost and the errors.
struct use_baton_t {
  /// An executor whose sockets use this token by default:
  /// `co_await socket.async_read_some(buffer)`.
  template <typename Executor>
  struct executor_with_default : Executor {
    using default_completion_token_type = use_baton_t;

    // Only another type is tested for convertibility: the test of this type would not end.
    template <typename Other,
              typename = std::enable_if_t<std::conjunction_v<std::negation<std::is_same<Other, executor_with_default>>,
                                                             std::is_convertible<Other, Executor>>>>
    executor_with_default(const Other& e) noexcept : Executor(e) {}  // NOLINT(google-explicit-constructor)
  };

  /// `use_baton_t::as_default_on_t<tcp::socket>`: a socket with such an executor.
  template <typename Object>
  using as_default_on_t =
      typename Object::template rebind_executor<executor_with_default<typename Object::executor_type>>::other;
};

constexpr use_baton_t use_baton;

}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER

/// Tells Asio to make a Baton operation for the token.
/// Source   Boost.Asio, completion token requirements on asynchronous operations.
template <typename Signature>
class boost::asio::async_result<baton::asio::use_baton_t, Signature> {
 public:
  template <typename Initiation, typename... Arguments>
  static auto initiate(Initiation&& initiation, baton::asio::use_baton_t, Arguments&&... arguments) {
    return baton::asio::operation<Signature, std::decay_t<Initiation>, std::decay_t<Arguments>...>(
        std::in_place, std::forward<Initiation>(initiation), std::forward<Arguments>(arguments)...);
  }
};
