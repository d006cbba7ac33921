// SPDX-License-Identifier: MIT
#pragma once

#include "floor_pool.hpp"

// The minimal coroutine of the floors, and its ready queue. Nothing is cancelled, closed, timed,
// traced or counted, and the stack grows if a compiler makes no tail call.

namespace suite_async {
namespace minimal {

struct promise;

/// The ready coroutines: a ring, linked through their promises, held by its last one. Its first one
/// runs.
struct ready_queue {
  promise* last = nullptr;

  inline void push(promise* p);
  inline void yield(promise* first);
  inline void leave(promise* first);
  inline std::coroutine_handle<> next();
  inline std::coroutine_handle<> wait_and_run(promise* first, promise* by);
  inline void run();
};
static ready_queue ready;

/// A coroutine that is ready when it is created, and frees itself at its end.
struct body {
  using promise_type = promise;
};
struct promise {
  body get_return_object() noexcept {
    ready.push(this);
    return {};
  }
  std::suspend_always initial_suspend() const noexcept { return {}; }

  struct end {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>  // the promise is not complete here
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) const noexcept {
      ready.leave(&h.promise());
      h.destroy();
      return ready.next();
    }
    void await_resume() const noexcept {}
  };
  end final_suspend() const noexcept { return {}; }
  void return_void() noexcept {}
  void unhandled_exception() noexcept { __builtin_trap(); }
  static void* operator new(size_t bytes) { return pool::take(bytes); }
  static void operator delete(void* frame, size_t bytes) noexcept { pool::give(frame, bytes); }

  promise* next;
};

using handle = std::coroutine_handle<promise>;

void ready_queue::push(promise* p) {
  if (BATON_UNLIKELY(!last)) {
    p->next = p;
  } else {
    p->next = last->next;
    last->next = p;
  }
  last = p;
}
void ready_queue::yield(promise* first) {
  last = first;
}
void ready_queue::leave(promise* first) {
  if (first == last) {
    last = nullptr;
  } else {
    last->next = first->next;
  }
}

/// Goes from coroutine to coroutine; through `run` if no compiler makes a tail call of it and the
/// stack is small.
std::coroutine_handle<> ready_queue::next() {
  if (is_small || !last) return std::noop_coroutine();
  return handle::from_promise(*last->next);
}
/// Lets the first one wait, and runs another in its place.
std::coroutine_handle<> ready_queue::wait_and_run(promise* first, promise* by) {
  if (first == last) last = by;
  by->next = first->next;
  last->next = by;
  if (is_small) return std::noop_coroutine();
  return handle::from_promise(*by);
}
void ready_queue::run() {
  while (last) handle::from_promise(*last->next).resume();
}

/// An awaiter that always suspends and returns nothing.
struct suspends {
  bool await_ready() const noexcept { return false; }
  void await_resume() const noexcept {}
};

}  // namespace minimal
}  // namespace suite_async
