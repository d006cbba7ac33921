// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/poller.hpp>
#include <exception>
#include <optional>

namespace baton::BATON_VARIANT::service {

/// The source of outside events of a worker's loop: sockets, serial lines, signals.
///
///     app.add_worker("io", network_over<baton::asio::poller>);
///
/// Shape    a pointer to a function.
/// Context  the worker's thread makes the poller before its loop, and destroys it behind it.
/// Errors   a poller that cannot be made ends the program in order, before any service of that
///          worker starts (exit code 13).
class network {
 public:
  using body = void (*)(void* of, async::poller& p);

  /// For the variable `network_over`.
  template <typename Poller>
  static constexpr network over() noexcept {
    return network(&make_and_call<Poller>);
  }

  /// Makes the poller and calls `b(of, poller)`. Returns what the making has thrown.
  std::exception_ptr run(body b, void* of) const { return run_(b, of); }

 private:
  using function = std::exception_ptr (*)(body b, void* of);

  constexpr explicit network(function f) noexcept : run_(f) {}

  template <typename Poller>
  static std::exception_ptr make_and_call(body b, void* of) {
    std::optional<Poller> own;
    try {
      own.emplace();
    } catch (...) {
      return std::current_exception();
    }
    b(of, *own);
    return nullptr;
  }

  function run_;
};

/// A network by pollers of type `Poller`, one for each worker.
template <typename Poller>
inline constexpr network network_over = network::over<Poller>();

}  // namespace baton::BATON_VARIANT::service
