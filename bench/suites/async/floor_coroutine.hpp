// SPDX-License-Identifier: MIT
#pragma once

#include "floor_pool.hpp"

// The bare coroutine of the floors, and the queue of those that are ready. Nothing is cancelled, closed, timed, traced or counted, and
// stacks grow where a compiler makes no tail call.

namespace suite_async {
namespace bare {

struct promise;

/// Coroutines that are ready: a ring, linked in their promises, by its last. Its first runs.
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

/// A coroutine that is ready when it is made, and frees itself at its end.
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
    template <typename Promise>  // which is not complete here
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

/// From coroutine to coroutine; by way of `run` where no compiler makes a tail call of it and the stack is small.
std::coroutine_handle<> ready_queue::next() {
  if (is_small || !last) return std::noop_coroutine();
  return handle::from_promise(*last->next);
}
/// The first waits, and another runs in its place.
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

/// The last that was spawned stands for the others.
struct suspends {
  bool await_ready() const noexcept { return false; }
  void await_resume() const noexcept {}
};

}  // namespace bare
}  // namespace suite_async
