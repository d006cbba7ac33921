// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/task.hpp>

/// Several tasks at once. These functions need the C++ library, and are not declared without it.
#if __has_include(<optional>)
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

namespace baton::BATON_VARIANT::async {

namespace detail {

/// The type that holds the result of a task; `std::monostate` if the task has none.
template <typename T>
struct result_of_task {
  using type = T;
};
template <>
struct result_of_task<void> {
  using type = std::monostate;
};

template <typename T>
task<void> keep_result(task<T> t, std::optional<typename result_of_task<T>::type>& to) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(t);
    to.emplace();
  } else {
    to.emplace(co_await std::move(t));
  }
}

/// Keeps the result of the first task to end, and stops the others.
template <typename T, typename Variant, size_t I>
task<void> keep_first(task<T> t, std::optional<Variant>& to, scope& all) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(t);
    if (!to && !all.has_failed()) to.emplace(std::in_place_index<I>);
  } else {
    typename result_of_task<T>::type value = co_await std::move(t);
    if (!to && !all.has_failed()) to.emplace(std::in_place_index<I>, std::move(value));
  }
  all.stop();
}

template <typename... T, size_t... I>
task<std::tuple<typename result_of_task<T>::type...>> all_of(std::index_sequence<I...>, task<T>... tasks) {
  std::tuple<std::optional<typename result_of_task<T>::type>...> kept;
  scope all;
  (all.spawn(keep_result(std::move(tasks), std::get<I>(kept))), ...);
  co_await all.join();
  co_return std::tuple<typename result_of_task<T>::type...>(std::move(*std::get<I>(kept))...);
}

template <typename... T, size_t... I>
task<std::variant<typename result_of_task<T>::type...>> any_of(std::index_sequence<I...>, task<T>... tasks) {
  using result = std::variant<typename result_of_task<T>::type...>;
  std::optional<result> first;
  scope all;
  (all.spawn(keep_first<T, result, I>(std::move(tasks), first, all)), ...);
  co_await all.join_nothrow();
  if (!first) co_await all.join();  // throws the exception of the first task
  co_return std::move(*first);
}

}  // namespace detail

/// Runs tasks side by side and waits for all:
/// `auto [a, b] = co_await when_all(fetch(1), fetch(2));`
///
/// Context  a task that throws stops the others, and its exception is thrown when they have ended.
///          A stop of the caller's scope stops them.
/// Cost     a call chain and a frame for each task, and a frame for all.
template <typename... T>
task<std::tuple<typename detail::result_of_task<T>::type...>> when_all(task<T>... tasks) {
  return detail::all_of(std::index_sequence_for<T...>(), std::move(tasks)...);
}

/// Runs tasks side by side until the first has ended, stops the others, and waits for them. The
/// index of the variant says which task was first.
///
/// Context  the waits of the others end with `cancelled`; a value or exception of theirs is
///          dropped. If the first task to end has thrown, its exception is thrown when all have
///          ended.
template <typename... T>
task<std::variant<typename detail::result_of_task<T>::type...>> when_any(task<T>... tasks) {
  return detail::any_of(std::index_sequence_for<T...>(), std::move(tasks)...);
}

}  // namespace baton::BATON_VARIANT::async
#endif
