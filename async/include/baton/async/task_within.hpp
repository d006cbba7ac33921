// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/result.hpp>
#include <baton/async/task.hpp>

/// A deadline for a task.
namespace baton::BATON_VARIANT::async {

namespace detail {

template <typename T>
task<void> keep_value(task<T> t, result<T>& to) {
  to = co_await static_cast<task<T>&&>(t);
}
inline task<void> keep_value(task<status> t, status& to) {
  to = co_await static_cast<task<status>&&>(t);
}
template <>
inline task<void> keep_value(task<void> t, result<void>& to) {
  co_await static_cast<task<void>&&>(t);
  to = status::ok;
}

template <typename Limit, typename T>
task<ended_type<T>> run_until(due_time<Limit> due, task<T> t) {
  ended_type<T> kept = status::cancelled;
  scope inner;
  task<void> body = keep_value(static_cast<task<T>&&>(t), kept);
  if (!body.has_frame()) co_return status::full;
  inner.spawn(static_cast<task<void>&&>(body));
  within<join_operation, Limit> ended(due, inner.join());
  if (co_await ended == status::timed_out) {
    inner.stop();
    co_await inner.join_nothrow();
    co_return status::timed_out;
  }
  co_return kept;
}

/// As `run_until`; empty, too, if the task is.
template <typename T, typename Limit>
task<ended_type<T>> run_unless_empty(Limit limit, task<T> t) {
  if (!t.has_frame()) return task<ended_type<T>>();
  return run_until(due_time<Limit>(limit), static_cast<task<T>&&>(t));
}

/// A task whose result can say `full`: the result if there was no memory for its frame. `R` is made
/// of a status, or has a member `status`.
template <typename R>
struct [[nodiscard]] ending_task {
  task<R> run;
};
template <typename R>
R ended_by(status why) noexcept {
  if constexpr (requires { static_cast<R>(why); }) {
    return static_cast<R>(why);
  } else {
    R made{};
    made.status = why;
    return made;
  }
}

template <typename R>
struct ending_task_awaiter : task_awaiter<R> {
  explicit ending_task_awaiter(task<R>&& of) noexcept : task_awaiter<R>(of.release_()) {}

  bool await_ready() const noexcept { return !this->awaited; }
  [[nodiscard]] R await_resume() {
    if (BATON_UNLIKELY(!this->awaited)) return ended_by<R>(status::full);
    return task_awaiter<R>::await_resume();
  }
};

template <typename R>
ending_task_awaiter<R> awaiter_of_ending(task<R>& t) noexcept {
  return ending_task_awaiter<R>(static_cast<task<R>&&>(t));
}

/// An ending task with a deadline, which gives the status in place of its result.
template <typename R, typename Limit>
task<R> end_until(due_time<Limit> due, task<R> t) {
  ending_task<ended_type<R>> whole{run_until(due, static_cast<task<R>&&>(t))};
  ended_type<R> ended = co_await static_cast<ending_task<ended_type<R>>&&>(whole);
  if constexpr (__is_same(ended_type<R>, R)) {
    co_return ended;
  } else {
    if (!ended) co_return ended_by<R>(ended.status());
    co_return static_cast<R&&>(*ended);
  }
}

template <typename R, typename Limit>
struct within_awaiter<ending_task<R>, Limit> : ending_task_awaiter<R> {
  within_awaiter(promise_base&, within<ending_task<R>, Limit>& w) noexcept
      : ending_task_awaiter<R>(static_cast<task<R>&&>(w.run)) {}
};

}  // namespace detail

template <typename R, typename Limit>
struct [[nodiscard]] within<detail::ending_task<R>, Limit> {
  // NOLINTNEXTLINE(bugprone-exception-escape): what the body throws stays in its frame
  [[nodiscard]] within(Limit limit, detail::ending_task<R>&& t) noexcept {
    if (t.run.has_frame()) run = detail::end_until(detail::due_time<Limit>(limit), static_cast<task<R>&&>(t.run));
  }

  task<R> run;
};

/// For co_await: runs a task, and stops it at the deadline:
/// `result<page> p = co_await within(1_s, fetch(url));`
///
/// Shape    the result of a task that gives a status is a status.
/// Context  at the deadline the waits of the task and of its children end with `cancelled`,
///          including waits that begin later. When the task has ended, the result is `timed_out`,
///          and a value or exception of the task is dropped. An exception that the task throws
///          before the deadline is thrown. A stop of the caller stops the task as well.
/// Cost     two frames besides the task's own, and a call chain.
/// Errors   full: there is no memory for one of the frames, or the task is empty. The task has not
///          begun.
template <typename T, typename Limit>
struct [[nodiscard]] within<task<T>, Limit> {
  // NOLINTNEXTLINE(bugprone-exception-escape): what the body throws stays in its frame
  [[nodiscard]] within(Limit limit, task<T>&& t) noexcept
      : run(detail::run_unless_empty(limit, static_cast<task<T>&&>(t))) {}

  task<detail::ended_type<T>> run;
};

}  // namespace baton::BATON_VARIANT::async
