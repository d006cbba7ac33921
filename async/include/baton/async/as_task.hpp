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

}  // namespace baton::BATON_VARIANT::async
