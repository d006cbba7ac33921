// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/operation.hpp>
#include <baton/async/timed.hpp>

namespace baton::BATON_VARIANT::async::detail {

/// `co_await within(milliseconds(5), socket.async_read_some(buffer, use_baton))`: asks the
/// operation to end at the deadline.
template <typename Signature, typename Initiation, typename... Arguments>
struct within_awaiter<asio::operation<Signature, Initiation, Arguments...>> {
  using operation_type = asio::operation<Signature, Initiation, Arguments...>;

  within_awaiter(promise_base&, const within<operation_type>& w)
      : operation(w.operation), deadline(&expire, *this), due(w.due) {}

  bool await_ready() const noexcept { return false; }

  template <typename Promise>
  handle await_suspend(std::coroutine_handle<Promise> h) {
    const handle next = operation.await_suspend(h);
    if (operation.is_waiting()) deadline.arm(due);
    return next;
  }

  auto await_resume() {
    deadline.disarm();
    return operation.await_resume();
  }

  struct deadline_alarm : alarm {
    deadline_alarm(job::function f, within_awaiter& o) noexcept : alarm(f), owner(&o) {}
    within_awaiter* owner;
  };

  static point expire(job* j, point) {
    deadline_alarm* a = static_cast<deadline_alarm*>(static_cast<alarm*>(j));
    a->leave();
    a->owner->operation.expire();
    return suspended;
  }

  operation_type operation;
  deadline_alarm deadline;
  tick due;
};

}  // namespace baton::BATON_VARIANT::async::detail
