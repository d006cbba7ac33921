// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/await.hpp>
#include <baton/async/foreign_awaiter.hpp>
#include <baton/async/frames.hpp>
#include <baton/async/join.hpp>
#include <baton/async/timed.hpp>

/// The operations that a coroutine may await.
namespace baton::BATON_VARIANT::async {

template <typename T = void>
class task;

/// For co_await: lets the other ready coroutines run first.
struct [[nodiscard]] yield {
  [[nodiscard]] constexpr yield() noexcept {}  // a defaulted one is silent with g++
};

/// For co_await: gives the scope that the coroutine was spawned in. The scope says whether the
/// coroutine should stop: `(co_await this_scope()).is_stopping()`.
struct [[nodiscard]] this_scope {
  [[nodiscard]] constexpr this_scope() noexcept {}
};

template <typename T>
class result;

namespace detail {

template <typename T>
struct task_promise;
template <typename R>
struct ending_task;
template <typename R>
struct ending_task_awaiter;
template <typename R>
ending_task_awaiter<R> awaiter_of_ending(task<R>& t) noexcept;

template <typename Limit>
struct stop_within_operation;
template <typename Limit>
struct stop_within_awaiter;

struct scope_awaiter {
  bool await_ready() const noexcept { return true; }
  void await_suspend(handle) const noexcept {}
  [[nodiscard]] scope& await_resume() const noexcept { return *parent; }
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

/// True if a task's result says nothing, so that it need not be read.
template <typename T>
constexpr bool says_nothing = false;
template <>
inline constexpr bool says_nothing<void> = true;

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
  [[nodiscard]] T await_resume() { return promise().take(); }
  T await_resume()
    requires(says_nothing<T>)
  {
    return promise().take();
  }

  promise_type& promise() const noexcept {
    return std::coroutine_handle<promise_type>::from_address(awaited.address()).promise();
  }

  handle awaited;
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
  auto await_transform(within<task<T>, Limit>&& o, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return detail::awaiter_of_ending(o.run);
  }
  template <typename R>
  ending_task_awaiter<R> await_transform(ending_task<R>&& t, wait_site at = wait_site::here()) noexcept {
    this->site = at;
    return ending_task_awaiter<R>(static_cast<task<R>&&>(t.run));
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

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
