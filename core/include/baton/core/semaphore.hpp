// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {

/// Counting semaphore between the jobs of one domain.
///
/// Shape    a count and a wait list. 5 bytes on AVR.
/// Context  `release()` hands one unit to the oldest waiter, which runs from the tail of the ready
///          queue; with no waiter it counts the unit up. A wait that ends otherwise has taken no
///          unit. A job that is destroyed after the hand-over and before it ran takes its unit with
///          it: `dropped_values()` counts it.
/// Cost     O(1).
/// Errors   `release()`: full at 65535, and nothing is counted. `closed` when it is destroyed while
///          a job waits.
class semaphore : domain_affinity {
 public:
  struct wait_operation;

  constexpr explicit semaphore(uint16_t units = 0) : units_(units) {}
  semaphore(const semaphore&) = delete;
  semaphore& operator=(const semaphore&) = delete;
  ~semaphore() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(waiters_);
  }

  /// Gives one unit back, or adds one.
  status release() {
    check();
    if (waiter* w = waiters_.take(wait_list::receivers)) {
      wake(w, waiter::delivered);
      return status::ok;
    }
    if (units_ == UINT16_MAX) return status::full;
    ++units_;
    return status::ok;
  }

  /// Takes one unit if there is one.
  bool try_acquire() {
    check();
    if (!units_) return false;
    --units_;
    return true;
  }

  /// For BATON_WAIT and its forms: takes one unit, waiting while there is none.
  BATON_NODISCARD BATON_INLINE wait_operation acquire();

  uint16_t units() const { return units_; }

 private:
  wait_list waiters_;
  uint16_t units_;
};

struct BATON_NODISCARD_TYPE semaphore::wait_operation : list_wait {
  explicit wait_operation(semaphore& s) : list_wait{&s.waiters_, wait_list::receivers, nullptr}, source(&s) {}

  static constexpr bool takes = true;

  BATON_INLINE bool try_now(waiter& w) const {
    if (!source->try_acquire()) return false;
    w.end(status::ok);
    return true;
  }

  semaphore* source;
};

BATON_INLINE semaphore::wait_operation semaphore::acquire() {
  return wait_operation(*this);
}

}  // namespace baton
