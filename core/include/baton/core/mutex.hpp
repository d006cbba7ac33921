// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {

class mutex;

/// The lock of a mutex: a member of the job that holds the mutex, because a local variable does not
/// live across a wait. Its destructor unlocks, so that a coroutine that is destroyed lets go.
///
/// Shape    3 bytes on AVR. It holds no mutex or one.
class mutex_lock {
 public:
  constexpr mutex_lock() = default;
  mutex_lock(const mutex_lock&) = delete;
  mutex_lock& operator=(const mutex_lock&) = delete;
  ~mutex_lock() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) unlock();
  }

  /// Hands the mutex to its oldest waiter, or frees it. Does nothing if no mutex is held.
  BATON_NOINLINE inline void unlock();

  /// True from the hand-over to `unlock()`.
  bool is_held() const { return held_; }

  /// For BATON_WHILE_LOCKED: true once after each lock.
  bool enters_() {
    const bool first = held_ && !is_inside_;
    is_inside_ = true;
    return first;
  }

 private:
  friend class mutex;

  mutex* held_ = nullptr;
  bool is_inside_ = false;
};

/// Mutual exclusion across waits between the jobs of one domain: the holder may wait for something
/// else meanwhile. (Between two waits no other job runs anyway.)
///
/// Shape    the holder's lock and a wait list. 5 bytes on AVR.
/// Context  `BATON_WAIT(m.lock(lock_))`, then `lock_.unlock()` or a block of BATON_WHILE_LOCKED.
///          Unlocking hands the mutex to the oldest waiter, which runs from the tail of the ready
///          queue; the caller goes on, and cannot take the mutex back before that waiter. A wait
///          that is cancelled or times out holds nothing; after the hand-over a cancel is too late.
///          A lock that is destroyed hands the mutex on, also after the hand-over and before its
///          job ran. A restart keeps the lock; the base `locking` gives it back.
/// Cost     O(1). Flash on AVR: suite memory, cases mutex and mutex_two.
/// Errors   `closed` when the mutex is destroyed while a job waits. BATON_REQUIRE
///          lock_that_holds_already: a lock that holds a mutex is locked again.
class mutex : domain_affinity {
 public:
  struct lock_operation;

  constexpr mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex() {
    if (!detail::may_die(this, __PRETTY_FUNCTION__)) return;
    if (holder_) holder_->held_ = nullptr;
    close_list(waiters_);
  }

  /// For BATON_WAIT and its forms: locks, waiting while another lock holds the mutex. `into` must
  /// live until it is unlocked.
  BATON_NODISCARD BATON_INLINE lock_operation lock(mutex_lock& into);

  /// Locks if the mutex is free. Never waits.
  BATON_NODISCARD bool try_lock(mutex_lock& into) { return lock_or_wait(nullptr, into); }

  bool is_locked() const { return holder_; }

 private:
  friend class mutex_lock;

  /// Locks. false: `w` waits, or, if it is null, nothing has happened. One copy per program.
  BATON_NOINLINE bool lock_or_wait(waiter* w, mutex_lock& into) {
    check();
    BATON_REQUIRE(lock_that_holds_already, !into.held_);
    if (holder_) {
      if (w) wait_shared(w, &waiters_, wait_list::receivers, &into);
      return false;
    }
    hand_to(into);
    if (w) w->end(status::ok);
    return true;
  }

  void pass_on() {
    check();
    holder_ = nullptr;
    if (waiter* w = waiters_.take_shared(wait_list::receivers)) {
      hand_to(*static_cast<mutex_lock*>(w->slot));
      wake_shared(w, static_cast<uint8_t>(status::ok));
    }
  }

  void hand_to(mutex_lock& lock) {
    holder_ = &lock;
    lock.held_ = this;
    lock.is_inside_ = false;
  }

  wait_list waiters_;
  mutex_lock* holder_ = nullptr;
};

void mutex_lock::unlock() {
  if (!held_) return;
  mutex* was = held_;
  held_ = nullptr;
  was->pass_on();
}

struct BATON_NODISCARD_TYPE mutex::lock_operation : list_wait {
  BATON_INLINE lock_operation(mutex& m, mutex_lock& into)
      : list_wait{&m.waiters_, wait_list::receivers, &into}, target(&m) {}

  static constexpr bool takes = true;

  BATON_INLINE bool try_now(waiter& w) const {
    if (!target->try_lock(*static_cast<mutex_lock*>(slot))) return false;
    w.end(status::ok);
    return true;
  }

  static constexpr bool tries_and_suspends = true;
  BATON_INLINE bool try_or_suspend(waiter& w) const {
    return !target->lock_or_wait(&w, *static_cast<mutex_lock*>(slot));
  }

  mutex* target;
};

BATON_INLINE mutex::lock_operation mutex::lock(mutex_lock& into) {
  return lock_operation(*this, into);
}

/// Adds one lock, `lock_`, which the end of the body, a restart and the destructor unlock.
template <typename Base>
struct locking : Base {
  constexpr explicit locking(job::function run) : Base(run) {}

 protected:
  void leave_() {
    Base::leave_();
    lock_.unlock();
  }
  void ended_() {
    lock_.unlock();
    Base::ended_();
  }

  mutex_lock lock_;
};

}  // namespace baton

/// A block that runs if `lock`, a mutex_lock that lives across waits, holds its mutex, and unlocks
/// it at the end: `BATON_WAIT_FOR(5_ms, bus.lock(lock_)); BATON_WHILE_LOCKED(lock_) { ... }`. The
/// block may wait. `break` and `continue` leave it and unlock; BATON_RETURN leaves it locked,
/// unless the base is `locking`.
#define BATON_WHILE_LOCKED(lock)            \
  for (; (lock).is_held(); (lock).unlock()) \
    while ((lock).enters_())
