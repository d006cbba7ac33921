// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/timer_wheel.hpp>

namespace baton::BATON_VARIANT::async {
namespace detail {

/// True if a loop can run here: its wheel needs a clock that does not wrap.
constexpr bool may_have_wheel = sizeof(tick) == sizeof(uint64_t);

/// A node of core's list of timers, for ports without a wheel.
struct list_node : due_part, job {
  explicit list_node(function expire) noexcept : job(expire) {}
};

template <bool MayHaveWheel>
struct alarm_node {
  using type = wheel_node;
};
template <>
struct alarm_node<false> {
  using type = list_node;
};

/// The wheel of the loop that runs in this domain; null if core's scheduler runs alone, with its
/// list of timers.
BATON_INLINE timer_wheel<>*& own_wheel() {
  return domain::variable<struct own_wheel_name, timer_wheel<>*>::get();
}

}  // namespace detail

/// A job that runs at a given time, unless it is disarmed before.
///
///     struct bell : async::alarm {
///       bell() : alarm(&ring) {}
///       static point ring(job* j, point) { return static_cast<bell*>(j)->leave(), suspended; }
///     };
///
/// Shape    a node of a wheel, a member of its owner. `at` says where the node is: nowhere, in
///          core's list or the ready queue, or in a wheel.
/// Units    `arm` takes the tick at which it is due.
/// Context  one domain. The loop, or core's scheduler, runs the job between coroutines. The job
///          calls `leave()` first, and then makes coroutines ready. The destructor disarms.
/// Cost     bench/suites/async.cpp, cases timer and timer_cancel.
struct alarm : detail::alarm_node<detail::may_have_wheel>::type {
  enum place : point { nowhere, with_core, in_wheel };

  explicit alarm(function expire) noexcept : detail::alarm_node<detail::may_have_wheel>::type(expire) {}
  ~alarm() { disarm(); }

  void arm(tick due_at) noexcept {
    if constexpr (detail::may_have_wheel) {
      if (timer_wheel<>* wheel = detail::own_wheel()) {
        at = in_wheel;
        return put_in(*wheel, *this, due_at);
      }
    }
    at = with_core;
    timers::arm(this, due_at);
  }

  void disarm() noexcept {
    if (BATON_LIKELY(at == nowhere)) return;
    const bool is_with_core = at == with_core;
    at = nowhere;
    if (!is_with_core) return take_out(*this);
    if (!timers::remove(this)) ready::remove(this);
  }

  /// Called first by the job when its time has come. Core's scheduler runs the job at the head of
  /// the ready queue, which the job leaves here; a loop has taken it out of the wheel already.
  void leave() noexcept {
    if (at == with_core) {
      ready::leave(this);
      next = nullptr;
    }
    at = nowhere;
  }

 private:
  // Templates, because a list_node has no place in a wheel.
  template <typename Node>
  static void put_in(timer_wheel<>& wheel, Node& n, tick due_at) noexcept {
    if (BATON_UNLIKELY(wheel.is_empty())) wheel.begin_at(port::now());
    wheel.arm(n, due_at);
  }
  template <typename Node>
  static void take_out(Node& n) noexcept {
    if constexpr (detail::may_have_wheel) detail::own_wheel()->disarm(n);
  }
};

}  // namespace baton::BATON_VARIANT::async
