// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/await.hpp>
#include <baton/async/foreign_awaiter.hpp>
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

template <typename T>
class result;

namespace detail {

template <typename T>
struct task_promise;
template <typename T>
struct within_task_awaiter;

template <typename Limit>
struct stop_within_operation;
template <typename Limit>
struct stop_within_awaiter;

struct scope_awaiter {
  bool await_ready() const noexcept { return true; }
  void await_suspend(handle) const noexcept {}
  scope& await_resume() const noexcept { return *parent; }
  scope* parent;
};

/// The end of a coroutine. Only a `task<void>` can be the first of its call chain.
struct final_awaiter {
  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  BATON_INLINE handle await_suspend(std::coroutine_handle<Promise> h) const noexcept {
    Promise& p = h.promise();
    if constexpr (__is_base_of(call_chain, Promise)) {
      if (BATON_UNLIKELY(p.is_first())) {
        scope& parent = p.parent_scope();
        if (BATON_UNLIKELY(p.has_failed())) parent.note_failure(p.thrown());
        parent.end_of(p);
        return next_in_queue();
      }
    }
    return transfer(handle::from_address(p.back));
  }
  void await_resume() const noexcept {}
};

struct yield_awaiter {
  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  BATON_INLINE handle await_suspend(std::coroutine_handle<Promise> h) const noexcept {
    yield_to_queue(*h.promise().chain, h);
    return next_in_queue();
  }
  void await_resume() const noexcept {}
};

/// The await of a task, which it owns from then on.
template <typename T>
struct task_awaiter {
  using promise_type = task_promise<T>;

  explicit task_awaiter(handle of) noexcept : awaited(of) {}
  task_awaiter(const task_awaiter&) = delete;
  ~task_awaiter() {
    if (awaited) awaited.destroy();
  }

  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  BATON_INLINE handle await_suspend(std::coroutine_handle<Promise> parent) {
    BATON_REQUIRE(task_without_frame, awaited);
    promise_type& p = promise();
    p.back = parent.address();
    p.chain = parent.promise().chain;
    p.other = &awaited;
    return transfer(awaited);
  }
  T await_resume() { return promise().take(); }

  promise_type& promise() const noexcept {
    return std::coroutine_handle<promise_type>::from_address(awaited.address()).promise();
  }

  handle awaited;
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

/// A promise whose coroutine may await operations of core, tasks, joins, delays, and awaiters that
/// others have written. `Base` is a promise.
template <typename Base>
struct awaiting_promise : Base {
  template <typename Operation>
    requires requires(Operation& o, waiter& w) { o.try_now(w); }
  BATON_INLINE auto await_transform(Operation&& o,
                                    wait_site at = wait_site::here()) noexcept(!may_throw<plain_type_of<Operation>>) {
    this->site = at;
    return operation_awaiter<plain_type_of<Operation>>(*this, o);
  }
  template <typename Operation, typename Limit>
  auto await_transform(within<Operation, Limit>&& o, wait_site at = wait_site::here()) noexcept(!may_throw<Operation>) {
    this->site = at;
    return within_awaiter<Operation, Limit>(*this, o);
  }
  template <typename Operation, typename Limit>
  auto await_transform(within<Operation, Limit>& o, wait_site at = wait_site::here()) noexcept(!may_throw<Operation>) {
    this->site = at;
    return within_awaiter<Operation, Limit>(*this, o);
  }
  template <typename T>
  task_awaiter<T> await_transform(task<T>&& t, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return task_awaiter<T>(t.release_());
  }
  template <typename T>
  task_awaiter<T> await_transform(task<T>&) noexcept {
    static_assert(!sizeof(T*), "an await ends a task: say co_await std::move(t), or co_await f() at once");
  }
  template <typename T, typename Limit>
  task_awaiter<result<T>> await_transform(within<task<T>, Limit>&) noexcept {
    static_assert(!sizeof(T*), "an await ends a task: say co_await std::move(w), or co_await within(...) at once");
  }
  template <typename T, typename Limit>
  within_task_awaiter<T> await_transform(within<task<T>, Limit>&& o, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return within_task_awaiter<T>(static_cast<task<result<T>>&&>(o.run));
  }
  auto await_transform(join_operation o, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return join_awaiter(*this, o);
  }
  template <typename Limit>
  auto await_transform(sleep_operation<Limit> o, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return sleep_awaiter<Limit>(*this, o);
  }
  template <typename Limit>
  auto await_transform(stop_within_operation<Limit> o, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return stop_within_awaiter<Limit>(*this, o);
  }
  auto await_transform(yield, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return yield_awaiter();
  }
  auto await_transform(this_scope) noexcept { return scope_awaiter{&this->chain->parent_scope()}; }
  template <typename Awaiter>
    requires(__is_base_of(spi::promise_awaiter, plain_type_of<Awaiter>))
  Awaiter&& await_transform(Awaiter&& a, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return static_cast<Awaiter&&>(a);
  }
  template <foreign_awaitable Awaitable>
  auto await_transform(Awaitable&& a, wait_site at = wait_site::here()) {
    this->site = at;
    return foreign_wait<decltype(awaiter_of(static_cast<Awaitable&&>(a)))>(*this, static_cast<Awaitable&&>(a));
  }
};

/// The base of a task's promise, on a promise of type `Base`. An exception takes the place of
/// `other`, which is not needed any more: the coroutine has ended.
template <typename Base>
struct task_promise_base : Base {
  std::suspend_always initial_suspend() const noexcept { return {}; }
  final_awaiter final_suspend() const noexcept { return {}; }

  failure& thrown() noexcept { return *__builtin_launder(static_cast<failure*>(static_cast<void*>(&this->other))); }

  // Inline, because the size of a frame is known where the frame is made.
  static BATON_INLINE void* operator new(size_t bytes) noexcept { return allocate_frame(bytes); }
  static BATON_INLINE void operator delete(void* frame, size_t bytes) noexcept { free_frame(frame, bytes); }

 protected:
  BATON_NOINLINE void keep_failure() noexcept {
    static_assert(sizeof(failure) <= sizeof this->other, "a failure has to fit into `other`");
    (::new (static_cast<void*>(&this->other), in_place()) failure)->keep_current();
  }
};

template <typename T>
struct task_promise : task_promise_base<awaiting_promise<promise_base>> {
  enum ending : uint8_t { none, value_returned, failed };

  task_promise() noexcept {}
  ~task_promise() {
    if (BATON_LIKELY(end == value_returned)) value.~T();
    if (BATON_UNLIKELY(end == failed)) thrown().~failure();
  }
  task<T> get_return_object() noexcept;
  static task<T> get_return_object_on_allocation_failure() noexcept;
  template <typename U>
  void return_value(U&& u) {
    ::new (static_cast<void*>(&value), in_place()) T(detail::forward<U>(u));
    end = value_returned;
  }
  void unhandled_exception() noexcept {
    keep_failure();
    end = failed;
  }
  T take() {
    static_assert(alignof(task_promise) <= 2 * sizeof(void*),
                  "the result of a task must not be aligned more strictly than two pointers: return a pointer to it");
    if (BATON_UNLIKELY(end == failed)) thrown().rethrow();
    return detail::move(value);
  }

  ending end = none;
  union {
    T value;
  };
};

/// A task without a result may be spawned: its promise has the job of a call chain.
///
/// Shape    `at` is `failed` after an exception.
template <>
struct task_promise<void> : task_promise_base<awaiting_promise<call_chain>> {
  static constexpr point failed = 0x70;

  ~task_promise() {
    if (BATON_UNLIKELY(has_failed())) thrown().~failure();
  }
  task<void> get_return_object() noexcept;
  static task<void> get_return_object_on_allocation_failure() noexcept;
  bool is_first() const noexcept { return chain == this; }
  bool has_failed() const noexcept { return at == failed; }
  void return_void() noexcept {}
  void unhandled_exception() noexcept {
    keep_failure();
    at = failed;
  }
  void take() {
    if (BATON_UNLIKELY(has_failed())) thrown().rethrow();
  }
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

  /// For the other parts of async: gives the frame up.
  detail::handle release_() noexcept { return detail::exchange(handle_, std::coroutine_handle<promise_type>()); }

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
  const auto h = detail::exchange(t.handle_, std::coroutine_handle<detail::task_promise<void>>());
  add(h.promise(), h);
}

}  // namespace baton::BATON_VARIANT::async
