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
class external_wait {
 public:
  /// `p` is the promise of the coroutine, which is of a type of Baton's.
  explicit external_wait(detail::promise_base& p) noexcept : chain_(p.chain) {}
  external_wait(const external_wait&) = delete;
  external_wait& operator=(const external_wait&) = delete;

  /// True once the coroutine's scope was stopped.
  bool is_stopping() noexcept { return chain_->parent_scope().is_stopping(); }
  /// True from `suspend` to `end_wait`.
  bool still_waits() const noexcept { return waits_; }

  /// For `await_suspend`: the wait begins. Gives the coroutine that runs next.
  std::coroutine_handle<> suspend(std::coroutine_handle<> own) noexcept {
    chain_->leave_to_wait(own);
    chain_->withdraw = &give_up;
    chain_->slot = this;
    chain_->on = waiter::sleeping;
    waits_ = true;
    trace(transition::wait, chain_);
    return detail::next_in_queue();
  }
  /// For `await_suspend`, in place of `suspend`: there is nothing to wait for. In a scope that is
  /// stopping it counts as a wait that the stop has ended.
  std::coroutine_handle<> skip(std::coroutine_handle<> own) noexcept {
    if (is_stopping() && chain_->refuse_wait()) return detail::give_way(*chain_, own);
    return detail::transfer(own);
  }

  /// Ends the wait: what was waited for has ended. Idempotent.
  void end_wait() noexcept {
    if (!waits_) return;
    waits_ = false;
    wake(chain_, static_cast<uint8_t>(status::ok));
  }

  /// For `await_resume`, first of all.
  void resume() noexcept { chain_->take_result(); }

 protected:
  ~external_wait() = default;

 private:
  static bool give_up(detail::call_chain& c) {
    static_cast<Derived&>(*static_cast<external_wait*>(c.slot)).on_stop();
    return false;
  }

  detail::call_chain* chain_;
  bool waits_ = false;
};

}  // namespace baton::BATON_VARIANT::async::spi
