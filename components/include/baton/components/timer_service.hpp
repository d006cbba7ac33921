// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/timer.hpp>
#include <baton/core/periodic.hpp>
#include <concepts>
#include <type_traits>
#include <utility>

namespace baton::BATON_VARIANT::components {

/// The due time of a timer, and its period.
struct schedule {
  tick due;
  duration period{};  ///< 0: once
  catch_up policy = catch_up::skip;
};

/// The action of a timer that pushes a copy of an event each time it is due: `once(here,
/// 1_s, pushes(door{3}))`.
template <typename Event>
struct pushes {
  explicit pushes(Event e, service::priority p = service::priority::normal) : event(std::move(e)), priority(p) {}

  Event event;
  service::priority priority;
};

/// Calls functions, runs coroutines and pushes events at their times. An interface;
/// `loop_timer_service` implements it.
///
///     blinker(required<timer_service> t, context here)
///         : beat(t->every(here, 500_ms, catch_up::skip, [=] { toggle(); })) {}
///     timer beat;
///
/// Shape    a timer belongs to the owner: it ends with it, and an exception of its function is the
///          owner's failure.
/// Units    durations: `5_ms`, `milliseconds(n)`.
/// Context  the owner's worker; functions are called between events.
class timer_service {
 public:
  timer_service(const timer_service&) = delete;
  timer_service& operator=(const timer_service&) = delete;
  virtual ~timer_service() = default;

  /// Acts once, `in` from here.
  template <typename Act>
  timer once(service::context owner, duration in, Act act) {
    return begin(owner, schedule{port::now() + in}, act_of(owner, std::move(act)));
  }
  /// Acts each period, for the first time after one period, on a grid that does not drift. A
  /// coroutine never runs twice at once: the next run waits until it has ended. `policy` decides
  /// about due times that have passed meanwhile.
  template <typename Act>
  timer every(service::context owner, duration period, catch_up policy, Act act) {
    return begin(owner, schedule{port::now() + period, period, policy}, act_of(owner, std::move(act)));
  }
  /// Acts at the due times of a schedule.
  template <typename Act>
  timer at(service::context owner, schedule when, Act act) {
    return begin(owner, when, act_of(owner, std::move(act)));
  }

 protected:
  timer_service() = default;

 private:
  virtual timer begin(service::context owner, schedule when, detail::timed_act act) = 0;

  template <typename Event>
  static detail::timed_act act_of(service::context owner, pushes<Event> p) {
    return [owner, p = std::move(p)]() -> std::optional<async::task<>> {
      static_cast<void>(owner.push(Event(p.event), p.priority));  // an event that a full queue refuses is lost
      return std::nullopt;
    };
  }
  template <std::invocable Act>
  static detail::timed_act act_of(service::context, Act act) {
    return [act = std::move(act)]() mutable -> std::optional<async::task<>> {
      if constexpr (std::is_same_v<std::invoke_result_t<Act&>, async::task<>>) {
        return act();
      } else {
        act();
        return std::nullopt;
      }
    };
  }
};

}  // namespace baton::BATON_VARIANT::components
