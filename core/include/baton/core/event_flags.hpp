// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {

/// What a job waits for in `event_flags`, and what it got: a member of the job.
struct flags_wait {
  uint16_t mask = 0;  ///< the flags to wait for
  uint16_t got = 0;   ///< the flags of the mask that were set when the wait ended with ok
  bool all = false;   ///< wait for all of them, or for any
  bool clear = true;  ///< clear what was waited for when the wait ends with ok
};

/// Sixteen flags between the jobs of one domain.
///
/// Shape    the flags and a wait list. 5 bytes on AVR.
/// Context  `set()` looks at the waiters from the oldest to the newest and wakes each one that is satisfied at that moment,
///          after those before it have cleared what they clear. The woken run from the tail of the ready queue.
/// Cost     `set()` O(waiters).
/// Errors   `closed` when it is destroyed under a waiter.
class event_flags : owned {
 public:
  struct wait_operation;

  constexpr event_flags() = default;
  event_flags(const event_flags&) = delete;
  event_flags& operator=(const event_flags&) = delete;
  ~event_flags() { close_list(waiters_); }

  /// Sets the flags of `mask` and wakes whom that satisfies.
  void set(uint16_t mask) {
    check();
    flags_ |= mask;
    for (uint16_t left = waiters_.count(); left && waiters_.kind != nobody; --left) {
      waiter* w = waiters_.pop();
      bool is_case = w->at == select_case_mark;
      if (!satisfy(*static_cast<flags_wait*>(w->slot))) {
        waiters_.push(w, is_case ? takers | watched : takers);
        continue;
      }
      if (is_case) w->body(w, select_case_claim);
      wake(w, static_cast<uint8_t>(status::ok));
    }
  }

  void clear(uint16_t mask) {
    check();
    flags_ &= static_cast<uint16_t>(~mask);
  }

  uint16_t flags() const { return flags_; }

  /// Ends as the wait would, if it would end at once.
  bool try_wait(flags_wait& what) {
    check();
    return satisfy(what);
  }

  /// For BATON_WAIT and its forms: waits for the flags that `what` names. `what` must live until the wait ends.
  BATON_INLINE wait_operation wait(flags_wait& what);

 private:
  bool satisfy(flags_wait& what) {
    uint16_t match = flags_ & what.mask;
    if (what.all ? match != what.mask : match == 0) return false;
    what.got = match;
    if (what.clear) flags_ &= static_cast<uint16_t>(~match);
    return true;
  }

  wait_list waiters_;
  uint16_t flags_ = 0;
};

struct event_flags::wait_operation : list_wait {
  wait_operation(event_flags& f, flags_wait& what) : list_wait{&f.waiters_, takers, &what}, source(&f) {}

  BATON_INLINE bool try_now(waiter& w) const {
    if (!source->try_wait(*static_cast<flags_wait*>(slot))) return false;
    w.end(status::ok);
    return true;
  }

  event_flags* source;
};

BATON_INLINE event_flags::wait_operation event_flags::wait(flags_wait& what) {
  return wait_operation(*this, what);
}

}  // namespace baton
