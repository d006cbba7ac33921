// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/capabilities.hpp>
#include <baton/core/spi/time_limit.hpp>
#include <stddef.h>

namespace baton {

/// A timed job beside a waiter, so that the primitives know nothing of timers.
///
/// Shape    `timer.at` is `armed` from the arming until the deadline has come or was disarmed; the
///          timer is in the timer list meanwhile.
struct deadline_part {
  static constexpr point armed = timers::called_when_due;

  constexpr deadline_part() : timer(nullptr) {}

  tick due = 0;
  job timer;
};

/// Waits, delays, and a deadline on each wait. 18 bytes on AVR.
struct deadline : deadline_part, suspendable {
  constexpr explicit deadline(function run) : deadline_part(), suspendable(run) {}

 protected:
  bool withdraw_() {
    disarm_();
    if (on == sleeping) {
      end(status::ok);
      return !next;
    }
    return detail::withdraw_wait(*this);
  }
  void leave_() {
    if (!withdraw_()) detail::leave_ready(*this);
    end(status::cancelled);
  }
  bool engaged_() const { return next || timer.at || on == in_service; }

  template <typename Due, typename Operation>
  BATON_INLINE bool wait_until_(point label, Due due_at, Operation operation) {
    const tick until = due_at;  // a duration is no time: its error says so, where a deduction would say nothing
    if (!wait_(label, operation)) return false;
    arm_(until, &expire_<&Operation::withdraw>);
    return true;
  }

  template <typename Limit, typename Operation>
  BATON_INLINE bool wait_for_(point label, Limit limit, Operation operation) {
    const typename spi::limit_of<Limit>::type longest = limit;
    if (!wait_(label, operation)) return false;
    if (longest.is_finite()) arm_for_(longest.ticks(), &expire_<&Operation::withdraw>);
    return true;
  }

  /// Disarms the timer, which is of no more use after the wait.
  BATON_NOINLINE void disarm_() {
    if (!timer.at) return;
    timer.at = 0;
    timers::remove(&timer);
  }

  template <uint32_t PerSecond>
  BATON_INLINE void delay_(uint32_t count) {
    on = sleeping;
    arm_for_(detail::ticks_of<PerSecond>(count), &expire_<&leaves_list::withdraw>);
    fall_asleep_();
  }
  BATON_INLINE void sleep_for_(duration length) {
    on = sleeping;
    arm_for_(length.ticks(), &expire_<&leaves_list::withdraw>);
    fall_asleep_();
  }
  BATON_INLINE void sleep_until_(tick until) {
    on = sleeping;
    arm_(until, &expire_<&leaves_list::withdraw>);
    fall_asleep_();
  }
  static constexpr bool sleeps_again_() { return false; }

 private:
  BATON_NOINLINE void fall_asleep_() {
    ready::leave(this);
    next = nullptr;
    trace(transition::wait, this);
  }

  /// Sets the timer for the wait that has begun, unless the wait has ended because the primitive is
  /// closed.
  BATON_NOINLINE void arm_(tick until, function expire) {
    if (may_be_closed() && on < lowest_address && result() != status::ok) return;
    timer.body = expire;
    timer.at = armed;
    timers::deadlines_are_used() = true;
    timers::arm(&timer, until);
  }

  BATON_NOINLINE void arm_for_(tick ticks, function expire) { arm_(port::now() + ticks, expire); }

  /// The timer's body: the deadline has come. If the wait has ended meanwhile, its result stands. A
  /// delay ends with `ok`. Operations with the same `Withdraw` share the code.
  template <bool (*Withdraw)(waiter&)>
  static point expire_(job* j, point) {
    deadline& self = expired_(j);
    uint8_t how = static_cast<uint8_t>(status::ok);
    if (self.on != sleeping) {
      if (!Withdraw(self)) return suspended;
      how = static_cast<uint8_t>(status::timed_out);
    }
    wake_shared(&self, how);
    return suspended;
  }

  /// The coroutine whose timer `j` has run, and is over.
  static BATON_INLINE deadline& expired_(job* j) {
    j->at = 0;
    static_assert(offsetof(deadline_part, timer) == sizeof(tick), "a job must follow its due time without a gap");
    return static_cast<deadline&>(reinterpret_cast<deadline_part&>(timers::due_of(j)));
  }
};

}  // namespace baton
