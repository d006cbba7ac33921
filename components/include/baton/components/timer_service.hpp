// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/timer.hpp>
#include <baton/core/periodic.hpp>
#include <concepts>
#include <type_traits>
#include <utility>

namespace baton::BATON_VARIANT::components {

/// When a timer is due.
struct schedule {
  tick due;
  tick period = 0;  ///< 0: once
  catch_up policy = catch_up::skip;
};

/// What a timer does when it is due, if it is to push an event: `once(here, seconds(1), pushes(door{3}))`. Each time a copy.
template <typename Event>
struct pushes {
  explicit pushes(Event e, service::priority p = service::priority::normal) : event(std::move(e)), priority(p) {}

  Event event;
  service::priority priority;
};

/// Calls functions, runs coroutines and pushes events at their times. The interface: `loop_timer_service` is one.
///
///     blinker(required<timer_service> t, context here) : beat(t->every(here, milliseconds(500), catch_up::skip, [=] { toggle(); })) {}
///     timer beat;
///
/// Shape    a timer is the owner's: it ends with it, and what its function throws is the owner's failure.
/// Units    ticks: `milliseconds(5)`.
/// Context  the owner's worker; functions are called between events.
class timer_service {
 public:
  timer_service(const timer_service&) = delete;
  timer_service& operator=(const timer_service&) = delete;
  virtual ~timer_service() = default;

  /// Does something once, so many ticks from now.
  template <typename Act>
  timer once(service::context owner, tick in, Act act) {
    return begin(owner, schedule{port::now() + in}, act_of(owner, std::move(act)));
  }
  /// Does something each period, for the first time when one has passed, on a grid that does not drift. A coroutine is never run twice at once:
  /// the next waits until it has ended. `policy` says what becomes of times that have passed meanwhile.
  template <typename Act>
  timer every(service::context owner, tick period, catch_up policy, Act act) {
    return begin(owner, schedule{port::now() + period, period, policy}, act_of(owner, std::move(act)));
  }
  /// The same with a schedule of one's own.
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
      static_cast<void>(owner.push(Event(p.event), p.priority));  // one that a full queue refuses is lost
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
