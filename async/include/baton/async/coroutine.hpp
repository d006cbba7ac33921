// SPDX-License-Identifier: MIT
#pragma once

/// Includes `<coroutine>`; for a cross compiler without a C++ library, declares what the language
/// requires of that header.
///
/// Source   ISO/IEC 14882:2020, [coroutine.syn]; the names and members that async uses.
#if __has_include(<coroutine>)
#include <coroutine>
#else
namespace std {

template <typename Result, typename... Arguments>
struct coroutine_traits {
  using promise_type = typename Result::promise_type;
};

template <typename Promise = void>
struct coroutine_handle;

template <>
struct coroutine_handle<void> {
  constexpr coroutine_handle() noexcept = default;
  static coroutine_handle from_address(void* address) noexcept {
    coroutine_handle h;
    h.frame = address;
    return h;
  }
  void* address() const noexcept { return frame; }
  explicit operator bool() const noexcept { return frame != nullptr; }
  bool done() const noexcept { return __builtin_coro_done(frame); }
  void resume() const { __builtin_coro_resume(frame); }
  void destroy() const { __builtin_coro_destroy(frame); }

  void* frame = nullptr;
};

template <typename Promise>
struct coroutine_handle : coroutine_handle<> {
  static coroutine_handle from_address(void* address) noexcept {
    coroutine_handle h;
    h.frame = address;
    return h;
  }
  static coroutine_handle from_promise(Promise& p) noexcept {
    return from_address(__builtin_coro_promise(reinterpret_cast<char*>(&p), alignof(Promise), true));
  }
  Promise& promise() const noexcept {
    return *static_cast<Promise*>(__builtin_coro_promise(this->frame, alignof(Promise), false));
  }
};

struct suspend_always {
  constexpr bool await_ready() const noexcept { return false; }
  constexpr void await_suspend(coroutine_handle<>) const noexcept {}
  constexpr void await_resume() const noexcept {}
};

struct suspend_never {
  constexpr bool await_ready() const noexcept { return true; }
  constexpr void await_suspend(coroutine_handle<>) const noexcept {}
  constexpr void await_resume() const noexcept {}
};

/// Returns a coroutine that does nothing when it is resumed. Its frame has the layout that
/// compilers agree on: two function pointers.
inline coroutine_handle<> noop_coroutine() noexcept {
  struct frame {
    void (*resume)(void*);
    void (*destroy)(void*);
  };
  static constexpr auto nothing = [](void*) {};
  static frame idle = {nothing, nothing};
  return coroutine_handle<>::from_address(&idle);
}

}  // namespace std
#endif
