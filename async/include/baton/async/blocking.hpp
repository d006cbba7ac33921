// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/as_task.hpp>
#include <baton/async/blocking_pool.hpp>
#include <baton/async/result.hpp>
#include <baton/async/spi/external_wait.hpp>
#include <baton/async/task.hpp>
#include <baton/core/spi/temporaries.hpp>

#if defined(__STDCPP_THREADS__) && __has_include(<thread>)
#include <functional>
#include <optional>
#include <type_traits>

/// Functions that block, awaited by coroutines.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// The result of a function: a value, or nothing. `ended`: the result of its call, which may end by
/// a status, too.
template <typename R>
struct blocking_value {
  using ended = typename status_type_of<R>::type;
  template <typename Call>
  void set(Call&& call) {
    value.emplace(call());
  }
  ended take() { return detail::move(*value); }

  std::optional<R> value;
};
template <>
struct blocking_value<void> {
  using ended = result<void>;
  template <typename Call>
  void set(Call&& call) {
    call();
  }
  result<void> take() noexcept { return status::ok; }
};

/// Calls a function, and gives it the token only if it cannot be called without: one that takes
/// anything has not asked for it.
template <typename Function, typename... Arguments>
concept takes_no_token = std::is_invocable_v<Function&, Arguments...>;
template <typename Function, typename... Arguments>
concept is_called_on_pool =
    takes_no_token<Function, Arguments...> || std::is_invocable_v<Function&, blocking_token, Arguments...>;
template <typename Function, typename... Arguments>
decltype(auto) call_on_pool(Function& f, [[maybe_unused]] blocking_token t, Arguments&&... arguments) {
  if constexpr (takes_no_token<Function, Arguments...>) {
    return std::invoke(f, detail::forward<Arguments>(arguments)...);
  } else {
    return std::invoke(f, t, detail::forward<Arguments>(arguments)...);
  }
}

/// A function with its result.
template <typename Function>
struct blocking_function : blocking_job {
  using value_type =
      std::decay_t<decltype(call_on_pool(*static_cast<Function*>(nullptr), *static_cast<blocking_token*>(nullptr)))>;
  static_assert(!is_task<value_type>,
                "the function of blocking() is a coroutine: the pool would make it and not run it; co_await it");

  template <typename From>
  blocking_function(in_place, From&& from) : blocking_job(&run_it, &destroy_it), f(detail::forward<From>(from)) {}

  static void run_it(blocking_job& j) noexcept {
    blocking_function& self = static_cast<blocking_function&>(j);
#if BATON_ASYNC_THROWS
    try {
      self.value.set([&] { return call_on_pool(self.f, j.token()); });
    } catch (...) {
      self.thrown.keep_current();
    }
#else
    self.value.set([&] { return call_on_pool(self.f, j.token()); });
#endif
  }
  static void destroy_it(blocking_job& j) noexcept {
    blocking_function* self = static_cast<blocking_function*>(&j);
    self->~blocking_function();
    free_frame(self, sizeof(blocking_function));
  }

  Function f;
  blocking_value<value_type> value;
  failure thrown;
};

/// The wait of a coroutine for a call.
struct blocking_wait : spi::external_wait<blocking_wait> {
  blocking_wait(promise_base& p, blocking_job& j) noexcept : external_wait(p), job(&j) {}

  /// Ends the wait if the function has not begun.
  void end_early(status how) noexcept {
    if (!job->waiting || !job->pool->withdraw(*job)) return;
    job->waiting = nullptr;
    job->pool->end_wait();
    job->how = how;
    this->end_wait();
  }
  void on_stop() noexcept { end_early(status::cancelled); }

  /// The coroutine is destroyed while it waits.
  void abandon() noexcept {
    if (!job->waiting) return;
    job->waiting = nullptr;
    job->pool->withdraw(*job);
    job->pool->end_wait();
  }

  static void end_of(void* w) noexcept { static_cast<blocking_wait*>(w)->end_wait(); }

  blocking_job* job;
};

}  // namespace detail

/// A function that a thread of a pool calls when it is awaited; see `blocking`.
///
/// Shape    a pointer to the call; its copies are the same call, which is awaited once.
template <typename Function>
class [[nodiscard]] blocking_operation : public spi::promise_awaiter {
  using job = detail::blocking_function<Function>;
  static_assert(alignof(job) <= 16, "a piece of the frame pool is aligned to 16 bytes");

 public:
  using result_type = typename detail::blocking_value<typename job::value_type>::ended;

  template <typename From>
  blocking_operation(blocking_pool& p, detail::in_place, From&& f) {
    void* memory = detail::allocate_frame(sizeof(job));
    if (!memory) return;
    memory_guard guard{memory};
    job_ = ::new (memory, detail::in_place()) job(detail::in_place(), detail::forward<From>(f));
    guard.memory = nullptr;
    job_->pool = &p;
    job_->end = &detail::blocking_wait::end_of;
  }
  blocking_operation(const blocking_operation& other) noexcept : job_(other.job_) {
    if (job_) job_->keep();
  }
  blocking_operation& operator=(const blocking_operation&) = delete;
  ~blocking_operation() {
    if (wait_) wait_->abandon();
    wait_.reset();
    if (job_) job_->forget();
  }

  /// False if there was no memory for the call.
  bool has_memory() const noexcept { return job_ != nullptr; }

  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) {
    return begin(h.promise(), h);
  }
  [[nodiscard]] result_type await_resume() {
    if (!job_) return status::full;
    wait_->resume();
    if (job_->how != status::ok) return job_->how;
    job_->thrown.rethrow();
    return job_->value.take();
  }

  /// For `within`.
  bool is_waiting() const noexcept { return wait_ && wait_->still_waits(); }
  void expire() noexcept { wait_->end_early(status::timed_out); }

 private:
  struct memory_guard {
    ~memory_guard() {
      if (memory) detail::free_frame(memory, sizeof(job));
    }
    void* memory;
  };

  detail::handle begin(detail::promise_base& p, detail::handle own) {
    BATON_REQUIRE(blocking_wait_without_loop, detail::own_mailbox());
    if (!job_) return detail::transfer(own);
    detail::blocking_wait& w = wait_.emplace(p, *job_);
    if (w.is_stopping()) {
      job_->how = status::cancelled;
      return w.skip(own);
    }
    const status s = job_->pool->begin(*job_, *detail::own_mailbox());
    if (s != status::ok) {
      job_->how = s;
      return w.skip(own);
    }
    job_->waiting = &w;  // the loop's: the end arrives in a later turn
    return w.suspend(own);
  }

  job* job_ = nullptr;
  std::optional<detail::blocking_wait> wait_;
};

/// For co_await: calls a function on a thread of a pool, and goes on in its own loop with what it
/// returned:
///
///     async::result<int> n = co_await async::blocking(disk, [&] { return fsync(file); });
///     async::result<text> t = co_await async::blocking(disk, read_file, path);
///
/// Shape    the result is that of the function, if it is a status or a `result`; else a `result` of
///          it. Arguments follow the function's `blocking_token`, if it has one. They are copied or
///          moved into the call, and moved into the function, as `std::thread` does; a reference is
///          given by `std::ref`, and a member function before its object.
/// Context  the call waits in the pool's queue, first in, first out, for a thread. When the
///          function has returned, its thread sends the end to the loop, which puts the coroutine
///          at the tail of its queue. What the function throws is thrown there. A stop of the
///          coroutine's scope, or a deadline (`within(limit, blocking(...))`), takes a call out of
///          the queue, and the function is never called. Once the function runs it cannot be taken
///          back: the wait goes on until it returns, and gives its result. A function that takes a
///          `blocking_token` is told by it that it may end early. A coroutine that is destroyed
///          meanwhile tells it too, and does not wait for it: what the function refers to then has
///          to outlive the call, so it holds by value what is the coroutine's own. The function and
///          its result are destroyed by the loop; by the pool's thread if the loop has ended.
/// Cost     a piece of the frame pool, a lock and a wake-up of a thread, and a message back.
/// Errors   cancelled, timed_out: the function was not called. full: there was no memory, or the
///          pool's policy refuses. closed: the pool has been closed. BATON_REQUIRE
///          blocking_awaited_twice: a call is awaited that has begun. blocking_wait_without_loop:
///          the thread has no loop. blocking_function_woke_job: the function sent to what a loop's
///          coroutine waits for; a `cross_thread_queue` or a `cross_loop` channel can do that.
template <typename Function, typename... Arguments>
  requires(detail::is_called_on_pool<std::decay_t<Function>, std::decay_t<Arguments>...>)
auto blocking(blocking_pool& pool, Function&& f, Arguments&&... arguments) {
  static_assert(
      !baton::spi::dies_twice<Function>,
      "g++ 12 destroys this lambda twice in a co_await: make it a variable, or give what it holds as arguments");
  static_assert(
      !(baton::spi::refuses_temporary<Arguments> || ...),
      "g++ 12 destroys this argument twice in a co_await: make it a variable, or give its type a constructor");
  if constexpr (sizeof...(Arguments) == 0) {
    return blocking_operation<std::decay_t<Function>>(pool, detail::in_place(), detail::forward<Function>(f));
  } else {
    auto call = [f = static_cast<std::decay_t<Function>>(detail::forward<Function>(f)),
                 ... kept = static_cast<std::decay_t<Arguments>>(detail::forward<Arguments>(arguments))](
                    blocking_token t) mutable -> decltype(auto) {
      return detail::call_on_pool(f, t, detail::move(kept)...);
    };
    return blocking_operation<decltype(call)>(pool, detail::in_place(), detail::move(call));
  }
}

/// For a function that cannot be called so: it says why, when it is compiled.
template <typename Function, typename... Arguments>
  requires(!detail::is_called_on_pool<std::decay_t<Function>, std::decay_t<Arguments>...>)
blocking_operation<void (*)()> blocking(blocking_pool& pool, Function&&, Arguments&&...) {
  static_assert(!sizeof(std::decay_t<Function>*),
                "blocking() cannot call the function so: its arguments are moved into it, as std::thread does; "
                "give a reference by std::ref. A blocking_token is its first parameter");
  return {pool, detail::in_place(), nullptr};
}

}  // namespace baton::BATON_VARIANT::async
#endif
