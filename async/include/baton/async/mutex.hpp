// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

namespace baton::BATON_VARIANT::async {

/// Mutual exclusion over waits: a job that holds it may wait for something else meanwhile. (Between two waits nobody else runs anyway.)
///
/// Shape    a bit and a wait list.
/// Context  one domain. `co_await m.lock()`, or `BATON_WAIT(m.lock())` in a stackless coroutine, then `unlock()` by whoever holds it. `unlock()` hands it to the
///          oldest waiter, which runs from the tail of the ready queue; the caller goes on, and cannot take it back before that one. A wait that is
///          cancelled or times out holds nothing; after the hand-over a cancel is too late. A C++20 coroutine that is destroyed after the
///          hand-over and before it ran hands it on; with a stackless one it stays locked, and `dropped_values()` counts it. It must outlive who holds it.
/// Cost     O(1).
/// Errors   `closed` when it is destroyed under a waiter. BATON_REQUIRE unlock_of_free_mutex: `unlock()` while nobody holds it.
class mutex : domain_affinity {
 public:
  struct lock_operation;

  constexpr mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex() { close_list(waiters_); }

  /// For co_await, BATON_WAIT and its forms: locks, waiting while somebody holds it. `hold(m)` unlocks by itself.
  BATON_INLINE lock_operation lock();

  /// Locks if nobody holds it. Never waits.
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

struct mutex::lock_operation : list_wait {
  explicit lock_operation(mutex& m) : list_wait{&m.waiters_, wait_list::receivers, nullptr}, target(&m) {}

  BATON_INLINE bool try_now(waiter& w) const {
    if (!target->try_lock()) return false;
    w.end(status::ok);
    return true;
  }

  /// It was handed over to a coroutine that is destroyed.
  void give_back() const { target->unlock(); }

  mutex* target;
};

BATON_INLINE mutex::lock_operation mutex::lock() {
  return lock_operation(*this);
}

}  // namespace baton::BATON_VARIANT::async
