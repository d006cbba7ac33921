// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <stdint.h>

namespace baton {
namespace asio {

class poller;

namespace detail {

struct flight;

/// What a coroutine that waits and the handler that Asio holds for it have in common: it lives until both have let go.
///
/// Context  the thread of its poller.
struct ticket {
  ticket(poller& p, flight& f) noexcept : poller_(&p), waiting(&f) {}
  ticket(const ticket&) = delete;
  ticket& operator=(const ticket&) = delete;
  ~ticket() { unlink(); }

  /// Asio holds the handler, or has moved it to where it is called.
  bool is_in_flight() const noexcept { return owners == 2; }

  void let_go() noexcept {
    if (--owners == 0) {
      delete this;
    } else {
      unlink();
    }
  }

  void link(ticket*& first) noexcept {
    if (linked_by) return;
    following = first;
    if (first) first->linked_by = &following;
    first = this;
    linked_by = &first;
  }
  void unlink() noexcept {
    if (!linked_by) return;
    *linked_by = following;
    if (following) following->linked_by = linked_by;
    linked_by = nullptr;
  }

  /// Asks the operation to end. Whatever kind of cancellation it knows will do.
  void ask() { signal.emit(boost::asio::cancellation_type::all); }

  boost::asio::cancellation_signal signal;
  poller* poller_;
  flight* waiting;  // null: it has landed, or who waited is gone
  ticket* following = nullptr;
  ticket** linked_by = nullptr;  // in its poller's list of those that were asked to end
  uint8_t owners = 2;
};

}  // namespace detail
}  // namespace asio
}  // namespace baton
