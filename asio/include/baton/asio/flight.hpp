// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/ticket.hpp>
#include <baton/async/task.hpp>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {
namespace detail {

/// A coroutine's wait for Asio, whatever the operation gives.
///
/// Shape    before it is begun `pass` is null. Between `begin` and `suspend` the operation is started: should it call its handler at once, which Asio
///          rules out, the wait ends before it began.
struct flight : async::detail::call_chain_waiter {
  explicit flight(async::detail::promise_base& p) noexcept : call_chain_waiter(p, &give_up) {}
  ~flight() {
    if (!pass) return;
    if (pass->waiting) pass->abandon();
    pass->let_go();
  }

  ticket& begin() {
    pass = &poller_here().issue();
    pass->begin(*this);
    return *pass;
  }

  async::detail::handle suspend(async::detail::handle own) noexcept {
    if (!pass->waiting) return async::detail::transfer(own);
    async::detail::leave_to_wait(call_chain, own);
    parent_scope().note_wait(*this);
    on = sleeping;
    trace(transition::wait, this);
    return async::detail::next_in_queue();
  }

  bool is_stopped() noexcept { return parent_scope().is_stopping(); }

  /// The wait is to end: by `why`, if the operation ends because of it.
  void cancel(status why) {
    if (!pass || !pass->waiting || ended_by != status::ok) return;
    ended_by = why;
    pass->poller_->cancel(*pass);
  }

  /// The handler was called, and the results are there.
  void land() noexcept {
    pass->waiting = nullptr;
    if (on == sleeping) wake(this, static_cast<uint8_t>(status::ok));
  }

  /// A stop: the wait goes on until the operation has ended.
  static bool give_up(call_chain_waiter& w) {
    static_cast<flight&>(w).cancel(status::cancelled);
    return false;
  }

  ticket* pass = nullptr;
  status ended_by = status::ok;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
