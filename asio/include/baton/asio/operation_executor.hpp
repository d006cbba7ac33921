// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/ticket.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/require.hpp>
#include <stdint.h>
#include <utility>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {
namespace detail {

/// The executor of one operation. It is the executor of the poller's context until the coroutine is
/// destroyed; from then on it destroys the functions that it gets, and calls none.
///
/// An operation of several steps calls each step by the executor of its last handler. The steps use
/// the coroutine's buffers and sockets. When the coroutine is destroyed, Asio still holds a step:
/// the poller's next `wait` brings it here. So the destructor of the coroutine need not wait for
/// Asio.
///
/// Shape    two words, trivially copyable; valid as long as the poller. It counts no work: the
///          context of a poller never runs out of work.
/// Context  any thread; what it calls runs on the thread of the poller, in `wait`.
/// Cost     a step that Asio calls in `wait` is called through, without an allocation.
/// Source   Boost.Asio, requirements on asynchronous operations: the I/O executor and the
///          associated executor.
template <bool IsPosting = false>
class operation_executor {
 public:
  explicit operation_executor(ticket& t) noexcept : ticket_(&t), use_(t.uses) {}
  explicit operation_executor(const operation_executor<!IsPosting>& other) noexcept
      : ticket_(other.ticket_), use_(other.use_) {}

  template <typename Function>
  void execute(Function&& f) const {
    const auto inner = ticket_->poller_->context().get_executor();
    if (!IsPosting && inner.running_in_this_thread()) {
      if (!is_cut_off()) f();
      return;
    }
    boost::asio::require(inner, boost::asio::execution::blocking.never)
        .execute([own = *this, f = std::forward<Function>(f)]() mutable {
          if (!own.is_cut_off()) f();
        });
  }

  operation_executor<true> require(boost::asio::execution::blocking_t::never_t) const noexcept {
    return operation_executor<true>(*this);
  }
  operation_executor<false> require(boost::asio::execution::blocking_t::possibly_t) const noexcept {
    return operation_executor<false>(*this);
  }
  static constexpr boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) noexcept {
    if (IsPosting) return boost::asio::execution::blocking.never;
    return boost::asio::execution::blocking.possibly;
  }
  boost::asio::io_context& query(boost::asio::execution::context_t) const noexcept {
    return ticket_->poller_->context();
  }

  friend bool operator==(const operation_executor& a, const operation_executor& b) noexcept {
    return a.ticket_ == b.ticket_ && a.use_ == b.use_;
  }
  friend bool operator!=(const operation_executor& a, const operation_executor& b) noexcept { return !(a == b); }

 private:
  friend class operation_executor<!IsPosting>;

  bool is_cut_off() const noexcept { return ticket_->is_abandoned && ticket_->uses == use_; }

  ticket* ticket_;
  uint32_t use_;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
