// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/service/context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace baton::BATON_VARIANT::components {

namespace detail {

/// The action of a timer: a function, or a coroutine to be run.
using timed_act = std::function<std::optional<async::task<>>()>;

/// The state that a timer and its coroutine share.
struct timer_state {
  uint64_t runs = 0;
  uint64_t missed = 0;
  bool is_wanted = true;
  bool is_over = false;
  async::manual_event* ending = nullptr;  // the coroutine's, while it lives
};

}  // namespace detail

/// A timer, which runs as long as this object lives.
///
/// Shape    usually a member of the service that it belongs to.
/// Context  its owner's worker. A coroutine of it that has begun when the timer goes runs to its
///          end; a coroutine of a service is stopped with the service.
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

  /// Ends the timer. Idempotent.
  void end() noexcept {
    if (!state_) return;
    state_->is_wanted = false;
    if (state_->ending) state_->ending->set();
  }
  /// True if the timer will be due at least once more.
  explicit operator bool() const noexcept { return state_ && state_->is_wanted && !state_->is_over; }

  /// The number of times that the timer was due and acted.
  uint64_t runs() const noexcept { return state_ ? state_->runs : 0; }
  /// The number of periods that `catch_up::skip` has left out.
  uint64_t missed() const noexcept { return state_ ? state_->missed : 0; }

 private:
  std::shared_ptr<detail::timer_state> state_;
};

}  // namespace baton::BATON_VARIANT::components
