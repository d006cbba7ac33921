// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/as_task.hpp>

/// Several tasks at once. These functions need the C++ library, and are not declared without it.
#if __has_include(<optional>)
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace baton::BATON_VARIANT::async {

namespace detail {

/// The type that holds the result of a task; `std::monostate` if the task has none, a
/// `std::reference_wrapper` if it gives a reference.
template <typename T>
struct result_of_task {
  using type = T;
};
template <>
struct result_of_task<void> {
  using type = std::monostate;
};
template <typename T>
struct result_of_task<T&> {
  using type = std::reference_wrapper<T>;
};
template <typename T>
using kept_type = typename result_of_task<T>::type;

/// The results of tasks that have none.
template <typename... T>
constexpr bool says_nothing<std::tuple<T...>> = (std::is_same_v<T, std::monostate> && ...);

/// The way from a child to the place for its result, which is in the frame of the parent and is
/// made later. The child's frame holds it: a coroutine's parameter moves there when the frame is
/// made, and says where it has moved to. So every frame exists before the first child begins.
template <typename Place>
struct way_to_place {
  explicit way_to_place(way_to_place*& known_as) noexcept : known(&known_as) { known_as = this; }
  way_to_place(way_to_place&& other) noexcept : known(other.known) { *known = this; }
  way_to_place& operator=(way_to_place&&) = delete;

  way_to_place** known;
  Place* to = nullptr;
};

/// A task that keeps its result in a place.
template <typename Place>
struct child {
  void spawn_in(scope& all, Place& to) {
    way->to = &to;
    all.spawn(std::move(body));
  }
  bool has_frame() const noexcept { return body.has_frame(); }

  task<> body;
  way_to_place<Place>* way = nullptr;
};

template <typename T>
using place_of_all = std::optional<kept_type<T>>;

template <typename T>
task<> keep_result(task<T> t, way_to_place<place_of_all<T>> place) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(t);
    place.to->emplace();
  } else {
    place.to->emplace(co_await std::move(t));
  }
}

template <typename T>
child<place_of_all<T>> child_of_all(task<T> t) {
  child<place_of_all<T>> made;
  if (t.has_frame()) made.body = keep_result(std::move(t), way_to_place<place_of_all<T>>(made.way));
  return made;
}

/// The children of `when_any`, and what the first to end has given.
template <typename First>
struct race {
  std::optional<First> first;
  scope all;
};

/// Keeps the result of the first task to end, and stops the others. `key` says which one it was.
template <typename T, typename First, typename Key>
task<> keep_first(task<T> t, Key key, way_to_place<race<First>> place) {
  race<First>& in = *place.to;
  if constexpr (std::is_void_v<T>) {
    co_await std::move(t);
    if (!in.first && !in.all.has_failed()) in.first.emplace(key);
  } else {
    T value = co_await std::move(t);
    if (!in.first && !in.all.has_failed()) in.first.emplace(key, static_cast<T&&>(value));
  }
  in.all.stop();
}

template <typename First, typename T, typename Key>
child<race<First>> child_of_any(task<T> t, Key key) {
  child<race<First>> made;
  if (t.has_frame()) made.body = keep_first<T, First>(std::move(t), key, way_to_place<race<First>>(made.way));
  return made;
}

template <typename... T, size_t... I>
task<std::tuple<kept_type<T>...>> all_of(std::index_sequence<I...>, child<place_of_all<T>>... children) {
  std::tuple<place_of_all<T>...> kept;
  scope all;
  (children.spawn_in(all, std::get<I>(kept)), ...);
  co_await all.join();
  co_return std::tuple<kept_type<T>...>(std::move(*std::get<I>(kept))...);
}

template <typename T>
task<std::conditional_t<std::is_void_v<T>, void, std::vector<kept_type<T>>>> all_of_range(
    std::vector<child<place_of_all<T>>> children, std::vector<place_of_all<T>> kept) {
  std::vector<kept_type<T>> results;
  if constexpr (!std::is_void_v<T>) results.reserve(children.size());
  scope all;
  for (size_t i = 0; i != children.size(); ++i) children[i].spawn_in(all, kept[i]);
  co_await all.join();
  if constexpr (!std::is_void_v<T>) {
    for (place_of_all<T>& one : kept) results.push_back(std::move(*one));
    co_return results;
  }
}

template <typename First>
void start(race<First>& in, std::vector<child<race<First>>>& children) {
  for (child<race<First>>& one : children) one.spawn_in(in.all, in);
}
template <typename First, typename... Child>
void start(race<First>& in, std::tuple<Child...>& children) {
  std::apply([&in](Child&... each) { (each.spawn_in(in.all, in), ...); }, children);
}

template <typename First, typename Children>
task<First> any_of(Children children) {
  race<First> in;
  start(in, children);
  if (in.all.running() == 0) no_value(status::empty);
  co_await in.all.join_nothrow();
  if (!in.first) co_await in.all.join();  // throws the exception of the first task
  co_return std::move(*in.first);
}

/// The task of several, or no memory.
template <typename T>
task<T> or_no_memory(task<T> whole) {
#if BATON_ASYNC_THROWS
  if (BATON_UNLIKELY(!whole.has_frame())) throw std::bad_alloc();
#endif
  return whole;
}

template <typename Whole, typename Make, typename... Child>
task<Whole> if_all_have_frames(Make make, Child... children) {
  task<Whole> whole;
  if ((children.has_frame() && ...)) whole = make(std::move(children)...);
  return or_no_memory(std::move(whole));
}

template <typename First, typename... T, size_t... I>
task<First> race_of(std::index_sequence<I...>, task<T>... tasks) {
  return if_all_have_frames<First>([](auto... children) { return any_of<First>(std::tuple(std::move(children)...)); },
                                   child_of_any<First>(std::move(tasks), std::in_place_index<I>)...);
}

template <typename... T>
task<std::tuple<kept_type<T>...>> gather(task<T>... tasks) {
  using whole = std::tuple<kept_type<T>...>;
  return if_all_have_frames<whole>(
      [](auto... children) { return all_of<T...>(std::index_sequence_for<T...>(), std::move(children)...); },
      child_of_all(std::move(tasks))...);
}

template <typename... T>
task<std::variant<kept_type<T>...>> compete(task<T>... tasks) {
  return race_of<std::variant<kept_type<T>...>>(std::index_sequence_for<T...>(), std::move(tasks)...);
}

/// The `T` of a range of `task<T>`.
template <typename Task>
struct result_of;
template <typename T>
struct result_of<task<T>> {
  using type = T;
};
template <typename Range>
using range_result = typename result_of<
    std::remove_cvref_t<decltype(*std::begin(std::declval<std::remove_reference_t<Range>&>()))>>::type;

template <typename Range>
concept range_of_tasks = requires { typename range_result<Range>; };

/// Awaiting a range ends its tasks, so that it is moved in.
template <typename Range>
constexpr void check_range() {
  static_assert(!std::is_lvalue_reference_v<Range>, "a range of tasks is moved in: say std::move(tasks)");
}

template <typename Child>
bool have_frames(const std::vector<Child>& children) noexcept {
  for (const Child& one : children) {
    if (!one.has_frame()) return false;
  }
  return true;
}

}  // namespace detail

/// Runs tasks side by side and waits for all. Anything that a coroutine may await can take the
/// place of a task:
/// `auto [a, b, how] = co_await when_all(fetch(1), fetch(2), bell.wait());`
///
/// Context  a task that throws stops the others, and its exception is thrown when they have ended.
///          A stop of the caller's scope stops them.
/// Cost     a call chain and a frame for each task, and a frame for all; one more frame for what is
///          no task.
/// Errors   if there is no memory for one of the frames, or one of the tasks is empty, none has
///          begun: `std::bad_alloc` is thrown at once; where exceptions are off, the task is empty:
///          see `has_frame()`.
template <detail::awaitable... Awaitable>
  requires(sizeof...(Awaitable) != 0)
auto when_all(Awaitable... parts) {
  return detail::gather(as_task(std::move(parts))...);
}

/// The same for a range of tasks, such as a `std::vector<task<T>>`, which is moved in. The result
/// is a `std::vector<T>` in the order of the range, or nothing if the tasks have no result. An
/// empty range has ended at once.
/// Cost     also four vectors, from the heap. Where exceptions are off, a heap without memory ends
///          the program, as for any vector.
template <detail::range_of_tasks Range>
auto when_all(Range&& tasks) {
  detail::check_range<Range>();
  using T = detail::range_result<Range>;
  std::vector<detail::child<detail::place_of_all<T>>> children;
  if constexpr (requires { tasks.size(); }) children.reserve(tasks.size());
  for (auto& one : tasks) children.push_back(detail::child_of_all(task<T>(std::move(one))));
  std::vector<detail::place_of_all<T>> kept(children.size());
  using whole = decltype(detail::all_of_range<T>(std::move(children), std::move(kept)));
  if (!detail::have_frames(children)) return detail::or_no_memory(whole());
  return detail::or_no_memory(detail::all_of_range<T>(std::move(children), std::move(kept)));
}

/// Runs tasks, or what else a coroutine may await, side by side until the first has ended, stops
/// the others, and waits for them. The index of the variant says which was first.
///
///     auto first = co_await when_any(c.receive(v), sleep_for(10_ms), fetch(url));
///
/// Context  the waits of the others end with `cancelled`; a value or exception of theirs is
///          dropped. One that ends well between the first and its stop has happened: `select`
///          does exactly one of several operations. If the first to end has thrown, its exception
///          is thrown when all have ended. All of them end on the loop of the caller.
/// Errors   as `when_all`.
template <detail::awaitable... Awaitable>
  requires(sizeof...(Awaitable) != 0)
auto when_any(Awaitable... parts) {
  return detail::compete(as_task(std::move(parts))...);
}

/// The same for a range of tasks, which is moved in: the result is a `std::pair` of the index and
/// the value, or the index alone if the tasks have no result.
/// Errors   also `bad_result`, with the status `empty`, when the task of an empty range is awaited:
///          none can be the first. Where exceptions are off it is BATON_REQUIRE
///          value_of_failed_result.
template <detail::range_of_tasks Range>
auto when_any(Range&& tasks) {
  detail::check_range<Range>();
  using T = detail::range_result<Range>;
  using first = std::conditional_t<std::is_void_v<T>, size_t, std::pair<size_t, detail::kept_type<T>>>;
  std::vector<detail::child<detail::race<first>>> children;
  if constexpr (requires { tasks.size(); }) children.reserve(tasks.size());
  for (auto& one : tasks) {
    children.push_back(detail::child_of_any<first>(task<T>(std::move(one)), children.size()));
  }
  if (!detail::have_frames(children)) return detail::or_no_memory(task<first>());
  return detail::or_no_memory(detail::any_of<first>(std::move(children)));
}

}  // namespace baton::BATON_VARIANT::async
#endif
