// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/ticket.hpp>
#include <baton/async/spi/external_wait.hpp>
#include <baton/async/task.hpp>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {
namespace detail {

/// The wait of a coroutine for an operation of Asio, without its results.
///
/// Shape    `pass` is null until `begin`. The operation is started between `begin` and `suspend`.
///          If it called its handler at once, which Asio rules out, the wait would end before it
///          began.
struct flight : async::spi::external_wait<flight> {
  using external_wait::external_wait;
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

  std::coroutine_handle<> suspend(std::coroutine_handle<> own) noexcept {
    return pass->waiting ? external_wait::suspend(own) : skip(own);
  }

  /// Asks the operation to end. `why` becomes its status, if it ends because of that.
  void cancel(status why) {
    if (!pass || !pass->waiting || ended_by != status::ok) return;
    ended_by = why;
    pass->poller_->cancel(*pass);
  }

  /// Called by the handler, when the results are stored.
  void land() noexcept {
    pass->waiting = nullptr;
    end_wait();
  }

  /// Called by a stop: the wait goes on until the operation has ended.
  void on_stop() { cancel(status::cancelled); }

  ticket* pass = nullptr;
  status ended_by = status::ok;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
