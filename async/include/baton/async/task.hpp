// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/awaiting_promise.hpp>

namespace baton::BATON_VARIANT::async {
namespace detail {

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

/// Keeps a result in a promise: the value, or its place.
template <typename T>
struct kept_result {
  using type = T;
};
template <typename T>
struct kept_result<T&> {
  struct type {
    type(T& t) noexcept : to(&t) {}               // NOLINT(google-explicit-constructor): it stands for a T&
    operator T&() const noexcept { return *to; }  // NOLINT(google-explicit-constructor)
    T* to;
  };
};

template <typename T>
struct task_promise : task_promise_base<awaiting_promise<promise_base>> {
  using kept = typename kept_result<T>::type;
  enum ending : uint8_t { none, value_returned, failed };

  task_promise() noexcept {}
  ~task_promise() {
    if (BATON_LIKELY(end == value_returned)) value.~kept();
    if (BATON_UNLIKELY(end == failed)) thrown().~failure();
  }
  task<T> get_return_object() noexcept;
  static task<T> get_return_object_on_allocation_failure() noexcept;
  template <typename U>
  void return_value(U&& u) {
    ::new (static_cast<void*>(&value), in_place()) kept(detail::forward<U>(u));
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
    return static_cast<T&&>(value);
  }

  ending end = none;
  union {
    kept value;
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
/// Context  one owner, one await. A task that is never awaited never runs: g++ and clang warn about
///          an unused value, and an unused variable, of this type.
/// Errors   BATON_REQUIRE task_without_frame: an empty task is awaited. spawn_without_frame: an
///          empty task is spawned. Check `has_frame()` if the pool may be exhausted.
template <typename T>
class [[nodiscard, gnu::warn_unused]] BATON_MOVES_AS_BYTES task {
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
