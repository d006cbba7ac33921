// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/call_chain.hpp>
#include <baton/async/spi/promise_awaiter.hpp>

/// Awaiters that know nothing of Baton.
namespace baton::BATON_VARIANT::async {
namespace detail {

template <typename T>
concept is_awaiter = requires(T& a) { a.await_ready(); };

template <typename T>
decltype(auto) awaiter_of(T&& awaitable) {
  if constexpr (requires { static_cast<T&&>(awaitable).operator co_await(); }) {
    return static_cast<T&&>(awaitable).operator co_await();
  } else if constexpr (requires { operator co_await(static_cast<T&&>(awaitable)); }) {
    return operator co_await(static_cast<T&&>(awaitable));
  } else {
    return static_cast<T&&>(awaitable);
  }
}

template <typename T>
concept foreign_awaitable =
    !__is_base_of(spi::promise_awaiter, plain_type_of<T>) &&
    is_awaiter<plain_type_of<decltype(awaiter_of(static_cast<T&&>(*static_cast<plain_type_of<T>*>(nullptr))))>>;

/// The handle that a foreign awaiter gets. It has the layout of a coroutine's frame on which
/// compilers agree, two function pointers; `resume()` ends the wait, so the coroutine never runs
/// past the queue.
struct foreign_handle {
  using function = void (*)(void*);

  explicit foreign_handle(call_chain& c) noexcept : chain(&c), domain_of(&transfers_left()) {}
  foreign_handle(const foreign_handle&) = delete;

  handle get() noexcept { return handle::from_address(this); }

  static void end_wait(void* self) {
    foreign_handle& h = *static_cast<foreign_handle*>(self);
    BATON_REQUIRE(foreign_resume_on_wrong_thread, h.domain_of == &transfers_left());
    BATON_REQUIRE(foreign_resume_twice, !h.is_resumed);
    h.is_resumed = true;
    if (h.chain->on == waiter::sleeping) wake(h.chain, static_cast<uint8_t>(status::ok));
  }
  static void refuse(void*) { BATON_REQUIRE(foreign_destroy, false); }

  function resume = &end_wait;
  function destroy = &refuse;
  call_chain* chain;
  const void* domain_of;
  bool is_resumed = false;
};

/// The wait for a foreign awaiter. A stop does not end it: only the awaiter does.
template <typename Awaiter>
struct foreign_wait {
  template <typename Awaitable>
  foreign_wait(promise_base& p, Awaitable&& a) : own(*p.chain), awaiter(awaiter_of(static_cast<Awaitable&&>(a))) {}
  foreign_wait(const foreign_wait&) = delete;

  bool await_ready() { return static_cast<bool>(awaiter.await_ready()); }

  /// The chain stays the head of the queue until the awaiter has kept the handle.
  handle await_suspend(handle h) {
    using kept = decltype(awaiter.await_suspend(own.get()));
    handle next;
    if constexpr (__is_same(kept, void)) {
      awaiter.await_suspend(own.get());
    } else if constexpr (__is_same(kept, bool)) {
      if (!awaiter.await_suspend(own.get())) return transfer(h);
    } else {
      next = awaiter.await_suspend(own.get());
      if (next.address() == own.get().address()) return transfer(h);
    }
    if (own.is_resumed) return transfer(h);
    call_chain& c = *own.chain;
    c.leave_to_wait(h);
    c.withdraw = &go_on_waiting;
    c.slot = this;
    c.on = waiter::sleeping;
    trace(transition::wait, &c);
    if (next) next.resume();  // of another library: it comes back when that coroutine suspends
    return next_in_queue();
  }

  decltype(auto) await_resume() {
    own.chain->take_result();
    return awaiter.await_resume();
  }

  static bool go_on_waiting(call_chain&) { return false; }

  foreign_handle own;
  Awaiter awaiter;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
