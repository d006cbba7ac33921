// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/coroutine.hpp>
#include <baton/async/failure.hpp>
#include <baton/async/frames.hpp>
#include <baton/async/language.hpp>
#include <baton/core.hpp>

namespace baton::BATON_VARIANT::async {

/// A sequence that is computed as it is read: `for (int n : first_primes(10))`. It cannot wait.
///
/// Shape    a pointer to its frame, in the domain's pool. If there was no memory for a frame, the
///          generator is empty and has no values.
/// Context  its reader's. An exception of the generator comes out of `begin` and `++`.
/// Errors   BATON_REQUIRE generator_read_twice: `begin` is called a second time. The values that
///          were read are gone.
template <typename T>
class [[nodiscard]] BATON_MOVES_AS_BYTES generator {
 public:
  struct promise_type : detail::failure {
    generator get_return_object() noexcept {
      return generator(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    static generator get_return_object_on_allocation_failure() noexcept { return generator(nullptr); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    std::suspend_always yield_value(T& value) noexcept {
      current = &value;
      return {};
    }
    std::suspend_always yield_value(T&& value) noexcept {
      current = &value;
      return {};
    }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { this->keep_current(); }
    template <typename Awaitable>
    void await_transform(Awaitable&&) = delete;  // a generator cannot wait

    static void* operator new(size_t bytes) noexcept { return detail::allocate_frame(bytes); }
    static void operator delete(void* frame, size_t bytes) noexcept { detail::free_frame(frame, bytes); }

    T* current = nullptr;
  };

  struct sentinel {};

  class iterator {
   public:
    explicit iterator(std::coroutine_handle<promise_type> h) : handle_(h) { go_on(); }
    iterator& operator++() {
      go_on();
      return *this;
    }
    T& operator*() const { return *handle_.promise().current; }
    bool operator==(sentinel) const { return !handle_; }

   private:
    void go_on() {
      if (!handle_) return;
      handle_.resume();
      if (!handle_.done()) return;
      promise_type& p = handle_.promise();
      handle_ = std::coroutine_handle<promise_type>();
      p.rethrow();
    }

    std::coroutine_handle<promise_type> handle_;
  };

  generator(generator&& other) noexcept
      : handle_(detail::exchange(other.handle_, std::coroutine_handle<promise_type>())) {}
  generator& operator=(generator&& other) noexcept {
    auto mine = handle_;
    handle_ = other.handle_;
    other.handle_ = mine;
    return *this;
  }
  ~generator() {
    if (handle_) handle_.destroy();
  }

  /// The first value. A generator is read once.
  iterator begin() {
    BATON_REQUIRE(generator_read_twice, !handle_ || !(handle_.promise().current || handle_.done()));
    return iterator(handle_);
  }
  sentinel end() const { return {}; }

 private:
  explicit generator(decltype(nullptr)) noexcept {}
  explicit generator(std::coroutine_handle<promise_type> h) noexcept : handle_(h) {}

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace baton::BATON_VARIANT::async
