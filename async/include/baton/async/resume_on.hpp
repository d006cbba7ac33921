// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/loop.hpp>
#include <baton/async/migration.hpp>
#include <baton/async/result.hpp>

/// Coroutines that go from one loop to another.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// Moves a call chain. It is in no list on its way; nothing of this object is touched once it has been sent.
struct resume_on_awaiter {
  bool await_ready() const noexcept { return to && to == own_mailbox(); }
  template <typename Promise>
  handle await_suspend(std::coroutine_handle<Promise> h) noexcept {
    return begin(h.promise(), h);
  }
  status await_resume() const noexcept { return outcome; }

  BATON_NOINLINE handle begin(promise_base& p, handle h) noexcept {
    BATON_REQUIRE(migration_without_loop, own_mailbox());
    promise_base& call_chain = *p.call_chain();
    migration* m = migration::of(call_chain);
    const bool returns = m ? !to || m->is_origin(*to) : !to;
    if (returns && !m) return h;
    if (!returns && call_chain.parent_scope().is_stopping()) return outcome = status::cancelled, h;
    ready::leave(&call_chain);
    call_chain.next = nullptr;
    call_chain.other = h.address();
    trace(transition::wait, &call_chain);
    if (m) {
      m->move_on(returns ? nullptr : to, outcome);
    } else {
      migration::begin_migration(call_chain, *to, outcome);
    }
    return next_in_queue();
  }

  mailbox* to;  // null: its origin
  status outcome = status::ok;
};

/// A coroutine on its way to where it begins.
struct spawn_message {
  explicit spawn_message(task<void>&& t) noexcept : what(detail::move(t)), node(&arrive, this) {}

  static void arrive(void* p) {
    spawn_message* d = static_cast<spawn_message*>(p);
    task<void> t = detail::move(d->what);
    d->~spawn_message();
    free_frame(d, sizeof(spawn_message));
    own_scope()->spawn(detail::move(t));
  }

  task<void> what;
  message_node node;
};

}  // namespace detail

/// For co_await: the coroutine, with those that await it, goes on in another loop.
///
///     co_await async::resume_on(worker);     // on the worker's thread from here
///     ...
///     co_await async::resume_on_origin();         // and back again
///
/// Context  a coroutine's origin is the loop of its scope, which counts and stops it wherever it is. What belongs to a domain stays there: while it
///          is away it uses only what is the other loop's, or shared. It need not come back: where it ends, its origin is told. The origin's `stop` ends its waits there; so
///          does a stop of the loop where it is. When that ends, its frames are destroyed there; when its origin has ended meanwhile,
///          likewise, where it is. It resumes at the tail of the other loop's queue.
/// Cost     two message nodes there and back, a frame of the pool, and the wake-up of a loop that sleeps.
/// Errors   closed: that loop has ended, and it goes on where it was, or on its origin. full: no memory. cancelled: it was stopped, and has not gone; to return
///          is always done. BATON_REQUIRE migration_without_loop: on a thread without a loop.
inline detail::resume_on_awaiter resume_on(mailbox& there) noexcept {
  return {&there};
}
inline detail::resume_on_awaiter resume_on(const loop_handle& there) noexcept {
  return {&there.mailbox()};
}
template <typename Tick>
detail::resume_on_awaiter resume_on(basic_loop<Tick>& there) noexcept {
  return {&there.mailbox()};
}

/// For co_await: back to its origin; if it is there already, it goes on.
inline detail::resume_on_awaiter resume_on_origin() noexcept {
  return {nullptr};
}

/// Has a coroutine begin in another loop, among those that were spawned there: `loop::all()`.
/// Context  any thread.
/// Errors   closed: that loop has ended, and the coroutine was destroyed, unbegun. full: no memory.
inline status spawn_on(const loop_handle& there, task<void> t) {
  void* memory = detail::allocate_frame(sizeof(detail::spawn_message));
  if (!memory) return status::full;
  detail::spawn_message* d = ::new (memory, detail::in_place()) detail::spawn_message(detail::move(t));
  if (there.mailbox().post(d->node)) return status::ok;
  d->~spawn_message();
  detail::free_frame(d, sizeof(detail::spawn_message));
  return status::closed;
}

/// Runs a task on another loop, and goes on at its origin with its result: `result<int> n = co_await run_on(worker, count(words));`
/// Context  as `resume_on`. What the task throws is thrown at the origin.
/// Errors   those of `resume_on`, where it has not begun.
template <typename T>
task<result<T>> run_on(loop_handle there, task<T> t) {
  const status went = co_await resume_on(there);
  if (went != status::ok) co_return went;
#if BATON_ASYNC_THROWS
  result<T> got = status::cancelled;
  std::exception_ptr thrown;
  try {
    got = co_await detail::move(t);
  } catch (...) {
    thrown = std::current_exception();
  }
  co_await resume_on_origin();
  if (thrown) std::rethrow_exception(thrown);
#else
  result<T> got = co_await detail::move(t);
  co_await resume_on_origin();
#endif
  co_return got;
}

/// Waits until the coroutines of another loop's scope have ended, and goes on at its origin.
/// Context  `s` lives until then. A stop of the caller's scope stops them. What one of them threw is thrown at the origin.
/// Errors   those of `resume_on`: it has not waited.
inline task<status> join_on(loop_handle there, scope& s) {
  const status went = co_await resume_on(there);
  if (went != status::ok) co_return went;
#if BATON_ASYNC_THROWS
  std::exception_ptr thrown;
  try {
    co_await s.join();
  } catch (...) {
    thrown = std::current_exception();
  }
  co_await resume_on_origin();
  if (thrown) std::rethrow_exception(thrown);
#else
  co_await s.join();
  co_await resume_on_origin();
#endif
  co_return status::ok;
}

}  // namespace baton::BATON_VARIANT::async
