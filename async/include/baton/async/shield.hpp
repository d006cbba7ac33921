// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/task_within.hpp>

/// Waits that a stop does not end.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// The result of a shielded task: a task that gives a status has one of its own.
template <typename T>
struct shielded_result {
  using type = result<T>;
};
template <>
struct shielded_result<status> {
  using type = status;
};
template <typename T>
using shielded_result_of = typename shielded_result<T>::type;

inline task<void> keep_shielded(task<status> t, status& to) {
  to = co_await static_cast<task<status>&&>(t);
}
template <typename T>
task<void> keep_shielded(task<T> t, result<T>& to) {
  return keep_value(static_cast<task<T>&&>(t), to);
}

template <typename Limit, typename T>
task<shielded_result_of<T>> run_shielded(due_time<Limit> due, task<T> t) {
  shielded_result_of<T> kept = status::cancelled;
  scope inner;
  inner.spawn(keep_shielded(static_cast<task<T>&&>(t), kept));
  within<join_operation, Limit> ended(due, join_operation{&inner, true, true});
  const status how = co_await ended;
  if (how != status::timed_out) co_return kept;
  inner.stop();
  co_await join_operation{&inner, false, true};
  co_return status::timed_out;
}

/// Waits for an operation in a coroutine of its own.
template <typename Operation>
task<status> wait_for(Operation o) {
  co_return co_await o;
}
template <typename Limit>
task<status> wait_for(sleep_operation<Limit> o) {
  co_return co_await o;
}

}  // namespace detail

/// For co_await: runs a task that a stop of the caller does not reach, for clean-up that has to
/// wait: `co_await async::shield(500_ms, say_goodbye(peer));`
///
/// Units    as `within`. Choose a limit below that of the program's stop.
/// Context  the task runs as a child of the caller, which goes on at the tail of the queue when it
///          has ended. At the limit the task is stopped, as any coroutine is, and the result is
///          `timed_out` when it has ended. In a stopped scope it counts as one of the waits that a
///          stopped coroutine may have in a row. The limit of a stop (`loop::stop(limit)`,
///          `stop_within`) destroys it with its caller.
/// Cost     two frames besides the task's own, and a call chain.
/// Errors   throws what the task throws before the limit. BATON_REQUIRE task_without_frame,
///          spawn_without_frame: there is no memory for one of the frames.
template <typename Limit, typename T>
task<detail::shielded_result_of<T>> shield(Limit limit, task<T> t) {
  using type = typename baton::spi::limit_of<Limit>::type;
  return detail::run_shielded(detail::due_time<type>(type(limit)), static_cast<task<T>&&>(t));
}

/// The same for one operation; its status is the result.
template <typename Limit, typename Operation>
  requires requires(Operation& o, waiter& w) { o.try_now(w); }
task<status> shield(Limit limit, const Operation& o) {
  return shield(limit, detail::wait_for(o));
}
template <typename Limit, typename SleepLimit>
task<status> shield(Limit limit, const detail::sleep_operation<SleepLimit>& o) {
  return shield(limit, detail::wait_for(o));
}

}  // namespace baton::BATON_VARIANT::async
