// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

namespace baton::BATON_VARIANT::async {

/// Mutual exclusion across waits: a job that holds the mutex may wait for something else meanwhile.
/// (Between two waits no other job runs anyway.)
///
/// Shape    a bit and a wait list.
/// Context  one domain. `co_await m.lock()`, or `BATON_WAIT(m.lock())` in a stackless coroutine;
///          then the holder calls `unlock()`. `unlock()` hands the mutex to the oldest waiter,
///          which runs from the tail of the ready queue; the caller goes on, and cannot take the
///          mutex back before that waiter. A wait that is cancelled or times out holds nothing;
///          after the hand-over a cancel is too late. A C++20 coroutine that is destroyed after the
///          hand-over and before it ran hands the mutex on; with a stackless one it stays locked,
///          and `dropped_values()` counts it. The mutex must outlive its holder.
/// Cost     O(1).
/// Errors   `closed`: the mutex is destroyed while a coroutine waits. BATON_REQUIRE
///          unlock_of_free_mutex: `unlock()` while no job holds it.
class mutex : domain_affinity {
 public:
  struct lock_operation;

  constexpr mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex() { close_list(waiters_); }

  /// For co_await, BATON_WAIT and its forms: locks, and waits while the mutex is held. `hold(m)`
  /// also unlocks, at the end of the block.
  BATON_INLINE lock_operation lock();

  /// Locks if the mutex is free. Never waits.
  BATON_NODISCARD bool try_lock() {
    check();
    if (locked_) return false;
    return locked_ = true;
  }

  void unlock() {
    check();
    BATON_REQUIRE(unlock_of_free_mutex, locked_);
    if (waiter* w = waiters_.take(wait_list::receivers)) {
      wake(w, waiter::delivered);
    } else {
      locked_ = false;
    }
  }

  bool is_locked() const { return locked_; }

 private:
  wait_list waiters_;
  bool locked_ = false;
};

struct [[nodiscard]] mutex::lock_operation : list_wait {
  explicit lock_operation(mutex& m) : list_wait{&m.waiters_, wait_list::receivers, nullptr}, target(&m) {}

  static constexpr bool takes = true;

  BATON_INLINE bool try_now(waiter& w) const {
    if (!target->try_lock()) return false;
    w.end(status::ok);
    return true;
  }

  /// Called if the mutex was handed to a coroutine that is destroyed.
  void give_back() const { target->unlock(); }

  mutex* target;
};

BATON_INLINE mutex::lock_operation mutex::lock() {
  return lock_operation(*this);
}

}  // namespace baton::BATON_VARIANT::async
