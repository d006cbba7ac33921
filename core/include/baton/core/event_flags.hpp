// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {

/// The flags that a job waits for in `event_flags`, and those that it got: a member of the job.
struct flags_wait {
  uint16_t mask = 0;  ///< the flags to wait for
  uint16_t got = 0;   ///< the flags of the mask that were set when the wait ended with ok
  bool all = false;   ///< wait for all of them, not for any
  bool clear = true;  ///< clear the flags in `got` when the wait ends with ok
};

/// Sixteen flags between the jobs of one domain.
///
/// Shape    the flags and a wait list. 5 bytes on AVR.
/// Context  `set()` looks at the waiters from the oldest to the newest and wakes each one that is
///          satisfied at that moment, after the waiters before it have cleared their flags. The
///          woken jobs run from the tail of the ready queue.
/// Cost     `set()` O(waiters), once more for each job that it wakes.
/// Errors   `closed` when it is destroyed while a job waits.
class event_flags : domain_affinity {
 public:
  struct wait_operation;

  constexpr event_flags() = default;
  event_flags(const event_flags&) = delete;
  event_flags& operator=(const event_flags&) = delete;
  ~event_flags() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(waiters_);
  }

  /// Sets the flags of `mask` and wakes the waiters that they satisfy.
  void set(uint16_t mask) {
    check();
    flags_ |= mask;
    while (waiter* w = oldest_satisfied()) {
      waiters_.remove(w);
      if (w->at == select_case_mark) w->body(w, select_case_claim);
      if (wait_list::refuses(w)) {
        restore(*static_cast<const flags_wait*>(w->slot));
        continue;
      }
      wake(w, static_cast<uint8_t>(status::ok));
    }
  }

  void clear(uint16_t mask) {
    check();
    flags_ &= static_cast<uint16_t>(~mask);
  }

  uint16_t flags() const { return flags_; }

  /// Does what the wait would do, if that would end at once. false: it would wait.
  bool try_wait(flags_wait& what) {
    check();
    return satisfy(what);
  }

  /// For BATON_WAIT and its forms: waits for the flags that `what` names. `what` must live until
  /// the wait ends.
  BATON_NODISCARD BATON_INLINE wait_operation wait(flags_wait& what);

 private:
  bool satisfy(flags_wait& what) {
    uint16_t match = flags_ & what.mask;
    if (what.all ? match != what.mask : match == 0) return false;
    what.got = match;
    if (what.clear) flags_ &= static_cast<uint16_t>(~match);
    return true;
  }

  /// Undoes `satisfy` for a waiter that has refused.
  void restore(const flags_wait& what) {
    if (what.clear) flags_ |= what.got;
  }

  /// The oldest waiter that is satisfied, null if there is none. The wake of a waiter may take its
  /// siblings out of the list, so each search begins anew; it finds no waiter before the last one,
  /// because flags are only cleared meanwhile.
  waiter* oldest_satisfied() {
    if (waiters_.kind == wait_list::nobody || waiters_.is_closed()) return nullptr;
    job* j = waiters_.tail;
    do {
      j = j->next;
      waiter* w = static_cast<waiter*>(j);
      if (satisfy(*static_cast<flags_wait*>(w->slot))) return w;
    } while (j != waiters_.tail);
    return nullptr;
  }

  wait_list waiters_;
  uint16_t flags_ = 0;
};

struct BATON_NODISCARD_TYPE event_flags::wait_operation : list_wait {
  wait_operation(event_flags& f, flags_wait& what) : list_wait{&f.waiters_, wait_list::receivers, &what}, source(&f) {}

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
