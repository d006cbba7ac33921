// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/task_within.hpp>

/// A task of anything that a coroutine may await.
namespace baton::BATON_VARIANT::async {

namespace detail {

template <typename T>
constexpr bool is_task = false;
template <typename T>
constexpr bool is_task<task<T>> = true;

template <typename T>
T&& value_of_type() noexcept;

/// The type of `co_await` of an rvalue of the type, in a task.
template <typename Awaitable>
using awaited_type = decltype(value_of_type<typename task<void>::promise_type&>()
                                  .await_transform(value_of_type<Awaitable>())
                                  .await_resume());

template <typename T>
constexpr bool is_reference = false;
template <typename T>
constexpr bool is_reference<T&> = true;

template <typename Awaitable>
concept awaitable = requires { typename awaited_type<Awaitable>; } && !is_reference<Awaitable>;

}  // namespace detail

/// Makes a task of an operation, a delay, a join, an operation of Asio, or anything else that a
/// coroutine may await. The task gives what `co_await` would give. A task is that task.
///
/// Shape    what is awaited moves into the frame; what it refers to outlives the task.
/// Context  the wait begins when the task does, and ends as it would in the awaiting coroutine.
/// Cost     a frame.
/// Errors   the task is empty: there is no memory for the frame.
template <typename T>
task<T> as_task(task<T> t) noexcept {
  return t;
}
template <detail::awaitable Awaitable>
  requires(!detail::is_task<Awaitable>)
task<detail::awaited_type<Awaitable>> as_task(Awaitable a) {
  co_return co_await detail::move(a);
}

namespace detail {

template <typename T>
constexpr bool is_within = false;
template <typename Operation, typename Limit>
constexpr bool is_within<within<Operation, Limit>> = true;

/// True for what has no deadline of its own, so that a child coroutine awaits it.
template <typename T>
concept awaited_by_child = foreign_awaitable<T> || is_within<T>;

}  // namespace detail

/// For co_await: an awaiter of the user's own, or a wait that has a deadline already, with a
/// deadline: `result<answer> a = co_await within(1_s, my_awaiter());`
///
/// Shape    as `within` of a task.
/// Context  a child coroutine awaits it. A deadline does not end the wait for an awaiter of the
///          user's own: the result is `timed_out` when that awaiter has ended.
/// Cost     three frames and a call chain.
/// Errors   full: there is no memory for them; nothing was awaited.
template <typename Awaitable, typename Limit>
  requires(detail::awaited_by_child<Awaitable>)
struct [[nodiscard]] within<Awaitable, Limit> {
  [[nodiscard]] within(Limit limit, Awaitable a) : run(detail::run_unless_empty(limit, as_task(detail::move(a)))) {}

  task<detail::ended_type<detail::awaited_type<Awaitable>>> run;
};

namespace detail {

template <typename Awaitable, typename Limit>
  requires(awaited_by_child<Awaitable>)
struct within_awaiter<Awaitable, Limit> : ending_task_awaiter<ended_type<awaited_type<Awaitable>>> {
  using base = ending_task_awaiter<ended_type<awaited_type<Awaitable>>>;
  within_awaiter(promise_base&, within<Awaitable, Limit>& w) noexcept : base(detail::move(w.run)) {}
};

}  // namespace detail

}  // namespace baton::BATON_VARIANT::async
