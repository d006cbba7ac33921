// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/failure.hpp>
#include <baton/async/result.hpp>
#include <baton/async/stop.hpp>
#include <baton/async/task.hpp>
#include <baton/async/timed.hpp>

/// Waits for what a task gave, a value or an exception, which the awaiting coroutine takes when it
/// goes on. An operation's `outcome` cannot throw; what is taken here can.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// The end of a task.
template <typename T>
struct task_outcome {
  result<T> take() {
    thrown.rethrow();
    return detail::move(kept);
  }

  result<T> kept = status::peer_gone;  // until the task has ended
  failure thrown;
};

/// Awaits a task, or something else, to its end, and keeps how it ended.
///
/// Shape    `Owner` has `task_outcome<T>& outcome()`, and `end()`, which is called at the end of
///          the await. The owner is destroyed without that call if the coroutine is destroyed.
template <typename Awaitable, typename Owner>
task<void> keep_outcome(Awaitable awaited, Owner owner) {
#if BATON_ASYNC_THROWS
  try {
#endif
    if constexpr (__is_same(decltype(owner.outcome().take()), result<void>)) {
      co_await detail::move(awaited);
      owner.outcome().kept = status::ok;
    } else {
      using kept_type = decltype(owner.outcome().take());
      owner.outcome().kept = kept_type::of(co_await detail::move(awaited));
    }
#if BATON_ASYNC_THROWS
  } catch (...) {
    owner.outcome().thrown.keep_current();
  }
#endif
  owner.end();
}

/// A wait whose result is `take(status)`, called when the coroutine goes on.
template <typename Wait>
struct [[nodiscard]] taking : Wait {
  using Wait::Wait;
  explicit taking(const Wait& w) : Wait(w) {}
};

template <typename Wait>
struct operation_awaiter<taking<Wait>> : operation_awaiter<Wait> {
  using base = operation_awaiter<Wait>;

  operation_awaiter(promise_base& p, taking<Wait>& o) noexcept : base(p, o), taken_from(&o) {}
  [[nodiscard]] auto await_resume() {
    const status how = base::await_resume();
    return taken_from->take(how);
  }

  Wait* taken_from;
};

template <typename Wait, typename Limit>
struct within_awaiter<taking<Wait>, Limit> : within_awaiter<Wait, Limit> {
  using base = within_awaiter<Wait, Limit>;

  within_awaiter(promise_base& p, within<taking<Wait>, Limit>& w) noexcept : base(p, w), taken_from(&w.operation) {}
  [[nodiscard]] auto await_resume() {
    const status how = base::await_resume();
    return taken_from->take(how);
  }

  Wait* taken_from;
};

}  // namespace detail

template <typename Wait, typename Limit>
struct [[nodiscard]] within<detail::taking<Wait>, Limit> : within<Wait, Limit> {
  [[nodiscard]] within(Limit limit, const detail::taking<Wait>& o) noexcept : within<Wait, Limit>(limit, o) {}
};

template <typename Wait>
detail::taking<detail::until_stop_operation<Wait>> until_stop(stop_token t, const detail::taking<Wait>& o) noexcept {
  return {t, o};
}

}  // namespace baton::BATON_VARIANT::async
