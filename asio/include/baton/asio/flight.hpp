// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/ticket.hpp>
#include <baton/async/task.hpp>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {
namespace detail {

/// The wait of a coroutine for an operation of Asio, without its results.
///
/// Shape    `pass` is null until `begin`. The operation is started between `begin` and `suspend`.
///          If it called its handler at once, which Asio rules out, the wait would end before it
///          began.
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

  /// Asks the operation to end. `why` becomes its status, if it ends because of that.
  void cancel(status why) {
    if (!pass || !pass->waiting || ended_by != status::ok) return;
    ended_by = why;
    pass->poller_->cancel(*pass);
  }

  /// Called by the handler, when the results are stored.
  void land() noexcept {
    pass->waiting = nullptr;
    if (on == sleeping) wake(this, static_cast<uint8_t>(status::ok));
  }

  /// Called by a stop: the wait goes on until the operation has ended.
  static bool give_up(call_chain_waiter& w) {
    static_cast<flight&>(w).cancel(status::cancelled);
    return false;
  }

  ticket* pass = nullptr;
  status ended_by = status::ok;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
