// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <new>
#include <stdint.h>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {

namespace detail {

struct flight;

/// The state of an operation. The coroutine that waits and the handler that Asio holds share it.
///
/// Shape    on the heap. The poller keeps the tickets that both have let go, for later operations.
///          `uses` tells an executor that outlives its operation from the executor of a later
///          operation.
/// Context  the thread of its poller.
struct ticket {
  explicit ticket(poller& p) noexcept : poller_(&p) {}
  ticket(const ticket&) = delete;
  ticket& operator=(const ticket&) = delete;
  ~ticket() { unlink(); }

  void begin(flight& f) noexcept {
    waiting = &f;
    following = nullptr;
    owners = 2;
    is_abandoned = false;
  }

  /// True while Asio holds the handler, or calls it.
  bool is_in_flight() const noexcept { return owners == 2; }

  /// Lets the ticket go. When both owners have, it returns to its poller, if that still exists.
  void let_go() noexcept;

  /// Asks the operation to end, when its coroutine is destroyed and its buffers still exist.
  /// Further steps of the operation are not called. An exception ends the program: the operation
  /// would go on in buffers that are gone.
  void abandon() noexcept {
    waiting = nullptr;
    if (!is_in_flight()) return;
    is_abandoned = true;
    signal.emit(boost::asio::cancellation_type::all);
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

  /// Asks the operation to end, by all types of cancellation that Asio knows. Without memory it is
  /// not asked; a poller that was told to asks again.
  void ask() noexcept {
    try {
      signal.emit(boost::asio::cancellation_type::all);
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  boost::asio::cancellation_signal signal;
  poller* const poller_;
  flight* waiting = nullptr;  // null: it has landed, or the coroutine is gone
  ticket* following = nullptr;
  ticket** linked_by = nullptr;  // in its poller's list of those that were asked to end
  uint32_t uses = 0;
  uint8_t owners = 0;
  bool is_abandoned = false;
};

}  // namespace detail

inline detail::ticket& poller::issue() {
  detail::ticket* const t = free_;
  if (BATON_UNLIKELY(!t)) return *new detail::ticket(*this);
  free_ = t->following;
  return *t;
}

inline void poller::take_back(detail::ticket& t) noexcept {
  t.following = free_;
  free_ = &t;
}

inline void detail::ticket::let_go() noexcept {
  unlink();
  if (--owners != 0) return;
  signal.slot().clear();
  ++uses;
  if (BATON_LIKELY(own_poller() == poller_)) {
    poller_->take_back(*this);
  } else {
    delete this;
  }
}

}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
