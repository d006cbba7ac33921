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
template <>
inline task<void> keep_value(task<void> t, result<void>& to) {
  co_await static_cast<task<void>&&>(t);
  to = status::ok;
}

template <typename Limit, typename T>
task<result<T>> run_until(due_time<Limit> due, task<T> t) {
  result<T> kept = status::cancelled;
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
task<result<T>> run_unless_empty(Limit limit, task<T> t) {
  if (!t.has_frame()) return task<result<T>>();
  return run_until(due_time<Limit>(limit), static_cast<task<T>&&>(t));
}

/// The await of `within(limit, task)`.
template <typename T>
struct within_task_awaiter : task_awaiter<result<T>> {
  explicit within_task_awaiter(task<result<T>>&& of) noexcept : task_awaiter<result<T>>(of.release_()) {}

  bool await_ready() const noexcept { return !this->awaited; }
  result<T> await_resume() {
    if (BATON_UNLIKELY(!this->awaited)) return status::full;
    return task_awaiter<result<T>>::await_resume();
  }
};

}  // namespace detail

/// For co_await: runs a task, and stops it at the deadline:
/// `result<page> p = co_await within(1_s, fetch(url));`
///
/// Context  at the deadline the waits of the task and of its children end with `cancelled`,
///          including waits that begin later. When the task has ended, the result is `timed_out`,
///          and a value or exception of the task is dropped. An exception that the task throws
///          before the deadline is thrown. A stop of the caller stops the task as well.
/// Cost     two frames besides the task's own, and a call chain.
/// Errors   full: there is no memory for one of the frames, or the task is empty. The task has not
///          begun.
template <typename T, typename Limit>
struct within<task<T>, Limit> {
  // NOLINTNEXTLINE(bugprone-exception-escape): what the body throws stays in its frame
  within(Limit limit, task<T>&& t) noexcept : run(detail::run_unless_empty(limit, static_cast<task<T>&&>(t))) {}

  task<result<T>> run;
};

}  // namespace baton::BATON_VARIANT::async
