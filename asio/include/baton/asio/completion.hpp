// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <tuple>
#include <utility>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {

/// The result of an operation of Asio:
/// `auto [error, bytes] = co_await socket.async_read_some(buffer, use_baton);`
///
/// Shape    an error code, and the results of the operation: none, one, or a tuple of several.
/// Errors   `status::timed_out`, `status::cancelled`: Baton asked the operation to end, and it
///          ended because of that; the result is what it had done until then (the bytes of an
///          `async_read`). Any other error is the operation's own.
template <typename... T>
struct completion {
  boost::system::error_code error;
  std::tuple<T...> result;

  explicit operator bool() const noexcept { return !error; }

  /// The results; throws `boost::system::system_error` if there is an error.
  std::tuple<T...> value() && {
    if (error) throw boost::system::system_error{error};
    return std::move(result);
  }
};

template <typename T>
struct completion<T> {
  boost::system::error_code error;
  T result;

  explicit operator bool() const noexcept { return !error; }

  T value() && {
    if (error) throw boost::system::system_error{error};
    return std::move(result);
  }
};

template <>
struct completion<> {
  boost::system::error_code error;

  explicit operator bool() const noexcept { return !error; }

  void value() && {
    if (error) throw boost::system::system_error{error};
  }
};

}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
