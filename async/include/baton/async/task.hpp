// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/await.hpp>
#include <baton/async/frames.hpp>
#include <baton/async/timed.hpp>

namespace baton::BATON_VARIANT::async {

template <typename T = void>
class task;

/// For co_await: lets the other ready coroutines run first.
struct yield {};

/// For co_await: gives the scope that the coroutine was spawned in. The scope says whether the
/// coroutine should stop: `(co_await this_scope()).is_stopping()`.
struct this_scope {};

namespace detail {

struct scope_awaiter {
  bool await_ready() const noexcept { return true; }
  void await_suspend(handle) const noexcept {}
  scope& await_resume() const noexcept { return *parent; }
  scope* parent;
};

struct final_awaiter {
  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  BATON_INLINE handle await_suspend(std::coroutine_handle<Promise> h) const noexcept {
    Promise& p = h.promise();
    if (BATON_LIKELY(!p.is_first())) return transfer(handle::from_address(p.back));
    scope& parent = p.parent_scope();
    if (BATON_UNLIKELY(p.has_failed())) parent.note_failure(p.thrown());
    parent.end_of(p);
    return next_in_queue();
  }
  void await_resume() const noexcept {}
};

struct yield_awaiter {
  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  BATON_INLINE handle await_suspend(std::coroutine_handle<Promise> h) const noexcept {
    promise_base* call_chain = h.promise().call_chain();
    call_chain->other = h.address();
    domain::tail() = call_chain;
    return next_in_queue();
  }
  void await_resume() const noexcept {}
};

/// Says whether a type is an operation of core's wait protocol.
template <typename T, typename = void>
struct is_operation {
  static constexpr bool value = false;
};
template <typename T>
struct is_operation<T, decltype(static_cast<void>(static_cast<T*>(nullptr)->try_now(*static_cast<waiter*>(nullptr))))> {
  static constexpr bool value = true;
};

template <bool Condition>
struct only_if {};
template <>
struct only_if<true> {
  using type = int;
};

/// A promise whose coroutine may await operations of core, tasks, joins, delays, and foreign
/// awaiters that need only a handle.
struct awaiting_promise : promise_base {
  template <typename Operation>
    requires requires(Operation& o, waiter& w) { o.try_now(w); }
  BATON_INLINE auto await_transform(Operation&& o) noexcept(!may_throw<plain_type_of<Operation>>) {
    return operation_awaiter<plain_type_of<Operation>>(*this, o);
  }
  template <typename Operation, typename Limit>
  auto await_transform(within<Operation, Limit>&& o) noexcept(!may_throw<Operation>) {
    return within_awaiter<Operation, Limit>(*this, o);
  }
  template <typename Operation, typename Limit>
  auto await_transform(within<Operation, Limit>& o) noexcept(!may_throw<Operation>) {
    return within_awaiter<Operation, Limit>(*this, o);
  }
  template <typename T, typename Limit>
  within<task<T>, Limit>&& await_transform(within<task<T>, Limit>&& o) noexcept {
    return static_cast<within<task<T>, Limit>&&>(o);
  }
  auto await_transform(join_operation o) noexcept { return join_awaiter(*this, o); }
  template <typename Limit>
  auto await_transform(sleep_operation<Limit> o) noexcept {
    return sleep_awaiter<Limit>(*this, o);
  }
  auto await_transform(yield) noexcept { return yield_awaiter(); }
  auto await_transform(this_scope) noexcept { return scope_awaiter{&call_chain()->parent_scope()}; }
  template <typename Awaitable>
    requires requires(Awaitable& a) { a.await_ready(); }
  Awaitable&& await_transform(Awaitable&& a) noexcept {
    return static_cast<Awaitable&&>(a);
  }
};

struct task_promise_base : awaiting_promise {
  ~task_promise_base() {
    if (BATON_UNLIKELY(has_failed())) thrown().~failure();
  }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  final_awaiter final_suspend() const noexcept { return {}; }

  /// Keeps the exception in place of the pointer to the call chain, which is not needed any more:
  /// the coroutine has ended.
  void unhandled_exception() noexcept {
    static_assert(sizeof(failure) <= sizeof other, "a failure has to fit into `other`");
    ::new (static_cast<void*>(&other), in_place()) failure;
    at |= failed;
    thrown().keep_current();
  }
  bool has_failed() const noexcept { return (at & failed) != 0; }
  failure& thrown() noexcept { return *__builtin_launder(static_cast<failure*>(static_cast<void*>(&other))); }
  void rethrow() {
    if (BATON_UNLIKELY(has_failed())) thrown().rethrow();
  }

  // Inline, because the size of a frame is known where the frame is made.
  static BATON_INLINE void* operator new(size_t bytes) noexcept { return allocate_frame(bytes); }
  static BATON_INLINE void operator delete(void* frame, size_t bytes) noexcept { free_frame(frame, bytes); }
};

template <typename T>
struct task_promise : task_promise_base {
  task_promise() noexcept {}
  ~task_promise() {
    if (has_value) value.~T();
  }
  task<T> get_return_object() noexcept;
  static task<T> get_return_object_on_allocation_failure() noexcept;
  template <typename U>
  void return_value(U&& u) {
    ::new (static_cast<void*>(&value), in_place()) T(detail::forward<U>(u));
    has_value = true;
  }
  T take() {
    this->rethrow();
    return detail::move(value);
  }

  union {
    T value;
  };
  bool has_value = false;
};

template <>
struct task_promise<void> : task_promise_base {
  task<void> get_return_object() noexcept;
  static task<void> get_return_object_on_allocation_failure() noexcept;
  void return_void() noexcept {}
  void take() { rethrow(); }
};

}  // namespace detail

/// A coroutine that has not begun. `co_await` begins it, and gives its result or throws what it
/// threw. `scope::spawn` begins it in a call chain of its own.
///
/// Shape    a pointer to its frame; empty if there was no memory for a frame.
/// Context  one owner, one await.
/// Errors   BATON_REQUIRE task_without_frame: an empty task is awaited. spawn_without_frame: an
///          empty task is spawned. Check `has_frame()` if the pool may be exhausted.
template <typename T>
class [[nodiscard]] BATON_MOVES_AS_BYTES task {
 public:
  using promise_type = detail::task_promise<T>;

  task() noexcept = default;
  task(task&& other) noexcept : handle_(detail::exchange(other.handle_, std::coroutine_handle<promise_type>())) {}
  task& operator=(task&& other) noexcept {
    auto mine = handle_;
    handle_ = other.handle_;
    other.handle_ = mine;
    return *this;
  }
  ~task() {
    if (handle_) handle_.destroy();
  }

  bool has_frame() const noexcept { return static_cast<bool>(handle_); }

  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  BATON_INLINE detail::handle await_suspend(std::coroutine_handle<Promise> parent) noexcept {
    BATON_REQUIRE(task_without_frame, has_frame());
    promise_type& p = handle_.promise();
    p.back = parent.address();
    p.other = parent.promise().call_chain();
    return detail::transfer(handle_);
  }
  T await_resume() { return handle_.promise().take(); }

 private:
  friend promise_type;
  friend class scope;
  explicit task(std::coroutine_handle<promise_type> h) noexcept : handle_(h) {}

  std::coroutine_handle<promise_type> handle_;
};

template <typename T>
task<T> detail::task_promise<T>::get_return_object() noexcept {
  return task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}
template <typename T>
task<T> detail::task_promise<T>::get_return_object_on_allocation_failure() noexcept {
  return task<T>();
}
inline task<void> detail::task_promise<void>::get_return_object() noexcept {
  return task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}
inline task<void> detail::task_promise<void>::get_return_object_on_allocation_failure() noexcept {
  return task<void>();
}

inline void scope::spawn(task<void> t) {
  BATON_REQUIRE(spawn_without_frame, t.has_frame());
  auto h = detail::exchange(t.handle_, std::coroutine_handle<detail::task_promise<void>>());
  detail::promise_base& p = h.promise();
  p.body = &detail::run_call_chain;
  p.at = detail::promise_base::first;
  p.back = this;
  p.other = h.address();
  ++running_;
  ready::push(&p);
}

}  // namespace baton::BATON_VARIANT::async
