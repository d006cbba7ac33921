// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {

/// Auto-reset event between the jobs of one domain.
///
/// Shape    a bit and a wait list. 4 bytes on AVR.
/// Context  `set()` wakes the oldest waiter, which takes the signal with it; with no waiter the bit
///          stays until the next wait takes it. `wake_all()` wakes every waiter and leaves the bit
///          alone. The woken jobs run from the tail of the ready queue, oldest first; the caller
///          goes on.
/// Cost     O(1); `wake_all()` O(waiters).
/// Errors   `closed` when it is destroyed while a job waits.
class signal : domain_affinity {
 public:
  struct wait_operation;

  constexpr signal() = default;
  signal(const signal&) = delete;
  signal& operator=(const signal&) = delete;
  ~signal() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(waiters_);
  }

  void set() {
    check();
    if (waiter* w = waiters_.take(wait_list::receivers)) {
      wake(w, static_cast<uint8_t>(status::ok));
    } else {
      set_ = true;
    }
  }

  void wake_all() {
    check();
    while (waiter* w = waiters_.take(wait_list::receivers)) wake(w, static_cast<uint8_t>(status::ok));
  }

  /// Takes the bit if it is set.
  bool try_take() {
    check();
    bool was = set_;
    set_ = false;
    return was;
  }

  /// For BATON_WAIT and its forms: waits for the signal and takes it.
  BATON_NODISCARD BATON_INLINE wait_operation wait();

 private:
  wait_list waiters_;
  bool set_ = false;
};

struct BATON_NODISCARD_TYPE signal::wait_operation : list_wait {
  explicit wait_operation(signal& s) : list_wait{&s.waiters_, wait_list::receivers, nullptr}, source(&s) {}

  BATON_INLINE bool try_now(waiter& w) const {
    if (!source->try_take()) return false;
    w.end(status::ok);
    return true;
  }

  signal* source;
};

BATON_INLINE signal::wait_operation signal::wait() {
  return wait_operation(*this);
}

}  // namespace baton
