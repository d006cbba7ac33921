// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/service/context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace baton::BATON_VARIANT::components {

namespace detail {

/// What a timer does: something at once, or a coroutine that is to be run.
using timed_act = std::function<std::optional<async::task<>>()>;

/// What a timer and its coroutine have in common.
struct timer_state {
  uint64_t runs = 0;
  uint64_t missed = 0;
  bool is_wanted = true;
  bool is_over = false;
  async::manual_event* ending = nullptr;  // the coroutine's, while it lives
};

}  // namespace detail

/// While this lives, a timer runs.
///
/// Shape    a member of the service that it belongs to, which is the usual place, or of whoever shall end it.
/// Context  its owner's worker. A coroutine of it that has begun when this goes, goes on to its end; that of a service is stopped with the service.
class [[nodiscard("the timer ends when this is gone: keep it, as a member")]] timer {
 public:
  timer() noexcept = default;
  explicit timer(std::shared_ptr<detail::timer_state> s) noexcept : state_(std::move(s)) {}
  timer(timer&&) noexcept = default;
  timer& operator=(timer&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~timer() { end(); }

  /// It is not due any more. Idempotent.
  void end() noexcept {
    if (!state_) return;
    state_->is_wanted = false;
    if (state_->ending) state_->ending->set();
  }
  /// It will be due, once more at least.
  explicit operator bool() const noexcept { return state_ && state_->is_wanted && !state_->is_over; }

  /// How often it was due and did what it does.
  uint64_t runs() const noexcept { return state_ ? state_->runs : 0; }
  /// Periods that `catch_up::skip` has left out.
  uint64_t missed() const noexcept { return state_ ? state_->missed : 0; }

 private:
  std::shared_ptr<detail::timer_state> state_;
};

}  // namespace baton::BATON_VARIANT::components
