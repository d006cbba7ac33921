// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

namespace baton::BATON_VARIANT::async {

/// Manual-reset event between the jobs of one domain: once set, it lets every waiter through until
/// it is reset.
///
/// Shape    a bit and a wait list.
/// Context  for C++20 coroutines, `co_await e.wait()`, and stackless ones, `BATON_WAIT(e.wait())`.
///          `set()` wakes all waiters, to the tail of the ready queue, oldest first; the caller
///          goes on. A waiter that was woken goes through even if the event is reset before it
///          runs. A wait that is cancelled or times out leaves the event as it is.
/// Cost     `set()` O(waiters).
/// Errors   `closed`: the event is destroyed while a coroutine waits.
class manual_event : domain_affinity {
 public:
  struct wait_operation;

  constexpr explicit manual_event(bool is_set = false) : set_(is_set) {}
  manual_event(const manual_event&) = delete;
  manual_event& operator=(const manual_event&) = delete;
  ~manual_event() { close_list(waiters_); }

  void set() {
    check();
    set_ = true;
    while (waiter* w = waiters_.take(wait_list::receivers)) wake(w, static_cast<uint8_t>(status::ok));
  }

  /// Clears the event: later waits wait again.
  void reset() {
    check();
    set_ = false;
  }

  bool is_set() const { return set_; }

  /// For co_await, BATON_WAIT and its forms: waits until it is set.
  BATON_INLINE wait_operation wait();

 private:
  wait_list waiters_;
  bool set_;
};

struct [[nodiscard]] manual_event::wait_operation : list_wait {
  explicit wait_operation(manual_event& e) : list_wait{&e.waiters_, wait_list::receivers, nullptr}, source(&e) {}

  BATON_INLINE bool try_now(waiter& w) const {
    source->check();
    if (!source->set_) return false;
    w.end(status::ok);
    return true;
  }

  manual_event* source;
};

BATON_INLINE manual_event::wait_operation manual_event::wait() {
  return wait_operation(*this);
}

/// Auto-reset event: each `set()` lets one waiter through, which resets it. It is core's `signal`.
using auto_event = baton::signal;

}  // namespace baton::BATON_VARIANT::async
