// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/scope.hpp>

/// Waits for the coroutines of a scope.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// The operation that `scope::join` returns.
struct [[nodiscard]] join_operation {
  scope* joined;
  bool throws = true;        // throw what a coroutine in the scope threw
  bool is_shielded = false;  // a stop of the joining coroutine's scope does not stop the joined ones
};

/// The wait of a call chain for the coroutines of a scope. A stop goes to those coroutines, and the
/// wait goes on until they have ended.
struct join_awaiter {
  join_awaiter(promise_base& p, join_operation o) noexcept
      : chain(p.chain), joined(o.joined), throws(o.throws), is_shielded(o.is_shielded) {}
  join_awaiter(const join_awaiter&) = delete;
  ~join_awaiter() { give_up_joining(); }

  bool await_ready() const noexcept { return joined->running_ == 0 && --transfers_left() != 0; }

  handle await_suspend(handle own) noexcept {
    call_chain& c = *chain;
    const bool has_shielded_too_often = is_shielded && c.at == call_chain::most_cancelled_waits;
    if (joined->running_ == 0 || has_shielded_too_often) return give_way(c, own);
    BATON_REQUIRE(scope_joined_twice, !joined->joining_);
    if (c.parent_scope().is_stopping() && !is_shielded) joined->stop();
    c.leave_to_wait(own);
    c.withdraw = is_shielded ? &go_on_waiting : &stop_them;
    c.slot = joined;
    c.on = waiter::sleeping;
    joined->joining_ = &c;
    trace(transition::wait, &c, joined);
    return next_in_queue();
  }

  void await_resume() {
    count_as_wait();
    chain->take_result();
    if (throws) {
      joined->rethrow();
    } else {
      joined->ignore_failure();
    }
  }

  /// A join is an outcome other than `cancelled`. A shielded one counts as a wait that the stop has
  /// ended, so that a stopped coroutine cannot go on by shields for ever.
  void count_as_wait() noexcept {
    if (!is_shielded) {
      chain->at = 0;
    } else if (chain->parent_scope().is_stopping() && chain->at < call_chain::most_cancelled_waits) {
      ++chain->at;
    }
  }

  static bool go_on_waiting(call_chain&) { return false; }
  static bool stop_them(call_chain& c) {
    static_cast<scope*>(c.slot)->stop();
    return false;
  }

  /// Gives up the join, at its deadline: the coroutines go on without it.
  bool give_up_joining() noexcept {
    if (joined->joining_ != chain) return false;
    joined->joining_ = nullptr;
    return true;
  }

  call_chain* chain;
  scope* joined;
  bool throws;
  bool is_shielded;
};

}  // namespace detail

inline detail::join_operation scope::join() noexcept {
  return {this};
}

inline detail::join_operation scope::join_nothrow() noexcept {
  return {this, false};
}

}  // namespace baton::BATON_VARIANT::async
