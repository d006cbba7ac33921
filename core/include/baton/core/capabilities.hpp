// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/duration.hpp>
#include <baton/core/endpoint.hpp>
#include <baton/core/spi/dropped_value.hpp>
#include <baton/core/timer.hpp>
#include <baton/core/wait.hpp>

/// The bases of coroutines: each gives a coroutine one set of capabilities, and states its bytes.
///
/// A base offers the waits to the coroutine above it, and these functions: `withdraw_()` ends a
/// wait that has not happened yet, and the job is then in no list; `leave_()` takes the job out of
/// any list, whatever its state; `engaged_()` says whether the job is in a list or waits outside
/// one; `ended_()` is called when the body has ended; `release_()` is called at a restart.
namespace baton {

namespace detail {

/// Makes the running job `j` sleep until `due`.
BATON_NOINLINE inline void sleep_until(job* j, tick due) {
  ready::leave(j);
  trace(transition::wait, j);
  timers::arm(j, due);
}

/// Makes the running job `j` sleep for `ticks`.
BATON_NOINLINE inline void sleep_for(job* j, tick ticks) {
  sleep_until(j, port::now() + ticks);
}

/// Takes a waiter out of its list or from its server. false: the wait has ended.
inline bool withdraw_wait(waiter& w) {
  if (w.is_listed()) {
    w.list()->remove(&w);
    return true;
  }
  if (w.on != waiter::in_service) return false;
  detach_from_server(w);
  return true;
}

/// Takes a waiter, whose wait has ended or that only yielded, out of the ready queue. Even a waiter
/// that was suspended meanwhile may hold a value that it has not read.
inline void leave_ready(waiter& w) {
  ready::remove(&w);
  if (w.on == waiter::delivered && (w.at & suspended) && w.at != finished) spi::count_dropped_value();
}

}  // namespace detail

/// The two notes that a coroutine leaves in its waiter, if its base has one: the wait was
/// cancelled; or the coroutine suspends itself, which clears the result of the wait before.
namespace detail {
BATON_INLINE void mark_cancelled(waiter& w) {
  w.end(status::cancelled);
}
BATON_INLINE void mark_cancelled(job&) {}

BATON_INLINE void mark_suspended(waiter& w) {
  w.end(status::ok);
}
BATON_INLINE void mark_suspended(job&) {}
}  // namespace detail

/// For coroutines that yield and poll only. 5 bytes on AVR.
struct plain : job {
  using job::job;

 protected:
  static constexpr bool can_wait = false;
  bool withdraw_() { return false; }
  void leave_() { ready::remove(this); }
  bool engaged_() const { return next; }
  void ended_() {}
  void release_() {}
};

/// Adds delays. 9 bytes on AVR.
struct timed : due_part, job {
  constexpr explicit timed(function run) : due_part(), job(run) {}

 protected:
  static constexpr bool can_wait = true;
  bool withdraw_() { return timers::remove(this); }
  void leave_() {
    if (!timers::remove(this)) ready::remove(this);
  }
  bool engaged_() const { return next || timers::contains(this); }
  void ended_() {}
  void release_() {}

  template <uint32_t PerSecond>
  BATON_INLINE void delay_(uint32_t count) {
    detail::sleep_for(this, detail::ticks_of<PerSecond>(count));
  }
  BATON_INLINE void sleep_for_(duration length) { detail::sleep_for(this, length.ticks()); }
  BATON_INLINE void sleep_until_(tick until) { detail::sleep_until(this, until); }
  static constexpr bool sleeps_again_() { return false; }
};

/// Delays of any length: a wider count re-arms the timer. 13 bytes on AVR.
struct long_timed : timed {
  constexpr explicit long_timed(function run) : timed(run) {}

 protected:
  bool withdraw_() {
    if (!laps_) return timed::withdraw_();
    leave_();  // between two laps the job is in the ready queue, and the delay has not ended
    return true;
  }
  void leave_() {
    laps_ = 0;
    timed::leave_();
  }

  template <uint32_t PerSecond>
  void delay_(uint32_t count) {
    uint64_t ticks = detail::wide_ticks<PerSecond>(count);
    laps_ = static_cast<uint32_t>(ticks / lap);
    sleep_until_(port::now() + static_cast<tick>(ticks % lap));
  }

  /// At the end of a lap: sleeps for the next one, counted from the due time of the last, so that
  /// nothing drifts. false: the delay is over.
  bool sleeps_again_() {
    if (!laps_) return false;
    --laps_;
    sleep_until_(due + static_cast<tick>(lap));
    return true;
  }

 private:
  static constexpr tick lap = (static_cast<tick>(-1) >> 2) + 1;  // a power of two, so that counting laps is shifting
  uint32_t laps_ = 0;
};

/// The part that `waiting`, `timed_waiting` and `deadline` share: one wait, suspended.
struct suspendable : waiter {
  constexpr explicit suspendable(function run) : waiter(run) {}

  static constexpr bool is_head_unless_stray = true;
  BATON_INLINE void end_at_once() { end_unlisted(status::ok); }

 protected:
  static constexpr bool can_wait = true;
  void ended_() {}
  void release_() {}

  /// Does the operation at once, or stores the label and waits for it. true: the job waits, or goes
  /// on from the label at once.
  template <typename Operation>
  BATON_INLINE bool wait_(point label, Operation operation) {
    return wait_(label, operation, 0);
  }

 private:
  /// For an operation that tries and suspends in one call.
  template <typename Operation>
  BATON_INLINE bool wait_(point label, Operation& operation, int, decltype(Operation::tries_and_suspends)* = nullptr) {
    at = label;
    return operation.try_or_suspend(*this);
  }

  template <typename Operation>
  BATON_INLINE bool wait_(point label, Operation& operation, long) {
    if (operation.try_now(*this)) {
      BATON_COMPILER_BARRIER();  // else the scheduler's variables stay in registers that each step saves
      return false;
    }
    at = label;
    operation.suspend(*this);
    return true;
  }
};

/// Adds waits on channels, endpoints, signals, semaphores, flags. 9 bytes on AVR.
struct waiting : suspendable {
  constexpr explicit waiting(function run) : suspendable(run) {}

 protected:
  bool withdraw_() { return detail::withdraw_wait(*this); }
  void leave_() {
    if (!withdraw_()) detail::leave_ready(*this);
    end(status::cancelled);
  }
  bool engaged_() const { return next || on == in_service; }
};

/// Waits, and delays, without deadlines. 13 bytes on AVR.
struct timed_waiting : due_part, suspendable {
  constexpr explicit timed_waiting(function run) : due_part(), suspendable(run) {}

 protected:
  bool withdraw_() {
    if (on == sleeping) return timers::remove(this);
    return detail::withdraw_wait(*this);
  }
  void leave_() {
    if (!withdraw_()) detail::leave_ready(*this);
    end(status::cancelled);
  }
  bool engaged_() const { return next || on == in_service || timers::contains(this); }

  template <uint32_t PerSecond>
  BATON_INLINE void delay_(uint32_t count) {
    on = sleeping;
    detail::sleep_for(this, detail::ticks_of<PerSecond>(count));
  }
  BATON_INLINE void sleep_for_(duration length) {
    on = sleeping;
    detail::sleep_for(this, length.ticks());
  }
  BATON_INLINE void sleep_until_(tick until) {
    on = sleeping;
    detail::sleep_until(this, until);
  }
  static constexpr bool sleeps_again_() { return false; }
};

// The bases below stand on another base: each adds one capability to it, and its bytes.

/// A result, and the jobs that wait for it: `BATON_RETURN(value)` ends the body; others call
/// `BATON_WAIT(c.join())`, then `c.value()`.
///
/// Shape    the value and a wait list.
/// Context  the end of the body wakes all jobs that joined, oldest first. A restart keeps them
///          waiting; the destructor ends their waits with `closed`.
template <typename T, typename Base = plain>
struct returning : Base {
  constexpr explicit returning(job::function run) : Base(run) {}
  ~returning() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(joiners_);
  }

  /// The value that the body returned last.
  const T& value() const { return value_; }

  struct BATON_NODISCARD_TYPE join_operation : list_wait {
    explicit join_operation(returning& r) : list_wait{&r.joiners_, wait_list::receivers, nullptr}, awaited(&r) {}
    bool try_now(waiter& w) const {
      if (awaited->at != finished) return false;
      w.end(status::ok);
      return true;
    }
    const job* awaited;
  };

  /// For BATON_WAIT and its forms: waits until the body has ended.
  BATON_NODISCARD join_operation join() { return join_operation(*this); }

 protected:
  void ended_() {
    while (joiners_.kind != wait_list::nobody) wake_oldest(joiners_, static_cast<uint8_t>(status::ok));
    Base::ended_();
  }

  T value_{};

 private:
  wait_list joiners_;
};

/// A server's hold on one request: `current`. If the server ends, restarts or is destroyed before
/// it has replied, its client's wait ends with `peer_gone`.
template <typename Request, typename Reply, typename Base = waiting>
struct serving : Base {
  constexpr explicit serving(job::function run) : Base(run) {}

  served<Request, Reply> current;

 protected:
  void leave_() {
    Base::leave_();
    current.abandon();
  }
  void ended_() {
    current.abandon();
    Base::ended_();
  }
  void release_() {
    current.abandon();
    Base::release_();
  }
};

/// A name. 2 bytes on AVR; the characters stay in flash.
template <typename Base = plain>
struct named : Base {
  constexpr explicit named(job::function run) : Base(run) {}

  void set_name(port::text name) { name_ = name; }
  port::text name() const { return name_; }

 private:
  port::text name_ = nullptr;
};

}  // namespace baton
