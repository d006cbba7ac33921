// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/with_frame.hpp>
#include <baton/components/timer_service.hpp>

namespace baton::BATON_VARIANT::components {

/// Timers on the clock and the timer wheel of the worker's loop.
///
/// Shape    one coroutine of the owner per timer, as long as the timer runs.
/// Cost     O(1) to begin and to end a timer; a frame of the loop's pool and a few words of the
///          heap.
class loop_timer_service final : public timer_service {
 private:
  timer begin(service::context owner, schedule when, detail::timed_act act) override {
    auto state = std::make_shared<detail::timer_state>();
    owner.spawn(live(state, when, std::move(act)));
    return timer(std::move(state));
  }

  /// Notes the end of the coroutine, also when it is destroyed.
  struct life {
    explicit life(detail::timer_state& s) noexcept : of(s) { of.ending = &ending; }
    life(const life&) = delete;
    ~life() {
      of.ending = nullptr;
      of.is_over = true;
    }
    detail::timer_state& of;
    async::manual_event ending;
  };

  static async::task<> live(std::shared_ptr<detail::timer_state> s, schedule when, detail::timed_act act) {
    life here(*s);
    while (s->is_wanted) {
      const tick now = port::now();
      const time_limit left = when.due > now ? limit_of(when.due - now) : 0_s;
      const status waited = co_await async::within(left, here.ending.wait());
      if (waited != status::timed_out || !s->is_wanted) break;
      if (when.period == duration()) s->is_over = true;
      ++s->runs;
      std::optional<async::task<>> begun = act();
      if (begun) co_await async::with_frame(std::move(*begun));
      if (when.period == duration()) break;
      s->missed += next(when);
    }
  }

  static time_limit limit_of(tick left) noexcept { return left > longest_delay ? time_limit(forever) : ticks(left); }

  /// Moves the schedule to the next due time. Returns the number of times that were left out.
  static uint64_t next(schedule& when) noexcept {
    when.due += when.period;
    const tick now = port::now();
    if (when.policy == catch_up::all || when.due > now) return 0;
    const tick passed = (now - when.due) / when.period + 1;
    when.due += passed * when.period;
    return passed;
  }
};

}  // namespace baton::BATON_VARIANT::components
