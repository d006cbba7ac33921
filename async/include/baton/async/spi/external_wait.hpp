// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/scope.hpp>

/// Service-provider interface of async: a coroutine's wait for what Baton does not run.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton::BATON_VARIANT::async::spi {

/// A wait of a coroutine for something that is no primitive of Baton, such as another library's
/// operation. The awaiter derives from it.
///
/// Shape    `Derived` has `void on_stop()`: the coroutine's scope was stopped, so what is waited
///          for is to end soon. The wait goes on until `end_wait`.
/// Context  the thread of the coroutine's loop, for every member. `end_wait` puts the coroutine at
///          the tail of the ready queue, and its loop resumes it from there. Its destructor takes
///          it out of every list and queue.
template <typename Derived>
class external_wait : detail::call_chain_waiter {
 public:
  /// `p` is the promise of the coroutine, which is of a type of Baton's.
  explicit external_wait(detail::promise_base& p) noexcept : call_chain_waiter(p, &give_up) {}

  /// True once the coroutine's scope was stopped.
  bool is_stopping() noexcept { return parent_scope().is_stopping(); }
  /// True from `suspend` to `end_wait`.
  using call_chain_waiter::still_waits;

  /// For `await_suspend`: the wait begins. Gives the coroutine that runs next.
  std::coroutine_handle<> suspend(std::coroutine_handle<> own) noexcept {
    detail::leave_to_wait(call_chain, own);
    parent_scope().note_wait(*this);
    on = sleeping;
    trace(transition::wait, this);
    return detail::next_in_queue();
  }
  /// For `await_suspend`, in place of `suspend`: there is nothing to wait for.
  static std::coroutine_handle<> skip(std::coroutine_handle<> own) noexcept { return detail::transfer(own); }

  /// Ends the wait: what was waited for has ended. Idempotent.
  void end_wait() noexcept {
    if (on == sleeping) wake(this, static_cast<uint8_t>(status::ok));
  }

  /// For `await_resume`, first of all.
  void resume() noexcept { goes_on(); }

 private:
  static bool give_up(call_chain_waiter& w) {
    static_cast<Derived&>(static_cast<external_wait&>(w)).on_stop();
    return false;
  }
};

}  // namespace baton::BATON_VARIANT::async::spi
