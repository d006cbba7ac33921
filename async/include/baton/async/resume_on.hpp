// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/loop.hpp>
#include <baton/async/migration.hpp>
#include <baton/async/result.hpp>

/// Coroutines that go from one loop to another.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// Moves a call chain. The chain is in no list on its way. This object is not touched after the
/// chain has been sent.
struct [[nodiscard]] resume_on_awaiter : spi::promise_awaiter {
  resume_on_awaiter(mailbox* there) noexcept : to(there) {}  // NOLINT(google-explicit-constructor)

  bool await_ready() const noexcept { return to && to == own_mailbox(); }
  template <typename Promise>
  handle await_suspend(std::coroutine_handle<Promise> h) noexcept {
    return begin(h.promise(), h);
  }
  [[nodiscard]] status await_resume() const noexcept { return outcome; }

  BATON_NOINLINE handle begin(promise_base& p, handle h) noexcept {
    BATON_REQUIRE(migration_without_loop, own_mailbox());
    call_chain& c = *p.chain;
    migration* m = migration::of(c);
    const bool returns = m ? !to || m->is_origin(*to) : !to;
    if (returns && !m) return h;
    if (!returns && c.parent_scope().is_stopping()) return refuse(c, h);
    c.leave_to_wait(h);
    trace(transition::wait, &c);
    if (m) {
      m->move_on(returns ? nullptr : to, outcome);
    } else {
      migration::begin_migration(c, *to, outcome);
    }
    return next_in_queue();
  }

  handle refuse(call_chain& c, handle h) noexcept {
    outcome = status::cancelled;
    return c.refuse_wait() ? give_way(c, h) : h;
  }

  mailbox* to;  // null: its origin
  status outcome = status::ok;
};

/// The return to the origin, whose status need not be read: it is always done.
struct [[nodiscard]] resume_on_origin_awaiter : resume_on_awaiter {
  using resume_on_awaiter::resume_on_awaiter;
  status await_resume() const noexcept { return outcome; }
};

/// A coroutine on its way to the loop where it begins.
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
///     co_await async::resume_on_origin();    // and back again
///
/// Context  the origin of a coroutine is the loop of its scope, which counts and stops it wherever
///          it is. Primitives of a domain stay there: while the coroutine is away, it uses only
///          those of the other loop, and cross-loop objects. It need not come back: if it ends
///          there, its origin is told. A `stop` at the origin ends its waits there, and so does a
///          stop of the loop where it is. Its frames are destroyed where it is when that loop ends,
///          and also if its origin has ended meanwhile. It resumes at the tail of the other loop's
///          queue.
/// Cost     two message nodes for the way there and back, a frame of the pool, and the wake-up of a
///          loop that sleeps.
/// Errors   closed: the other loop has ended, and the coroutine goes on where it was, or at its
///          origin. full: there is no memory. cancelled: the coroutine was stopped and has not
///          gone; a return is always done. BATON_REQUIRE migration_without_loop: the thread has no
///          loop.
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

/// For co_await: returns to the origin; a coroutine that is there already goes on. The status is
/// `ok`.
inline detail::resume_on_origin_awaiter resume_on_origin() noexcept {
  return {nullptr};
}

/// Starts a coroutine in another loop, in the scope of its spawned coroutines, `loop::all()`.
/// Context  any thread.
/// Errors   closed: the other loop has ended, and the coroutine was destroyed before it began.
///          full: there is no memory.
inline status spawn_on(const loop_handle& there, task<void> t) {
  void* memory = detail::allocate_frame(sizeof(detail::spawn_message));
  if (!memory) return status::full;
  detail::spawn_message* d = ::new (memory, detail::in_place()) detail::spawn_message(detail::move(t));
  if (there.mailbox().post(d->node)) return status::ok;
  d->~spawn_message();
  detail::free_frame(d, sizeof(detail::spawn_message));
  return status::closed;
}

/// Runs a task on another loop, and goes on at the origin with its result:
/// `result<int> n = co_await run_on(worker, count(words));`
/// Context  as `resume_on`. An exception of the task is thrown at the origin. A task that gives a
///          status has run if the result has a value, which is that status.
/// Errors   those of `resume_on`; the task has not begun then.
template <typename T>
task<result<T>> run_on(loop_handle there, task<T> t) {
  const status went = co_await resume_on(there);
  if (went != status::ok) co_return went;
  result<T> got = status::cancelled;
#if BATON_ASYNC_THROWS
  std::exception_ptr thrown;
  try {
#endif
    if constexpr (__is_same(T, void)) {
      co_await detail::move(t);
      got = status::ok;
    } else {
      got = result<T>::of(co_await detail::move(t));
    }
#if BATON_ASYNC_THROWS
  } catch (...) {
    thrown = std::current_exception();
  }
#endif
  co_await resume_on_origin();
#if BATON_ASYNC_THROWS
  if (thrown) std::rethrow_exception(thrown);
#endif
  co_return got;
}

/// Waits until the coroutines of another loop's scope have ended, and goes on at the origin.
/// Context  `s` lives until then. A stop of the caller's scope stops them. An exception of theirs
///          is thrown at the origin.
/// Errors   those of `resume_on`; it has not waited then.
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
