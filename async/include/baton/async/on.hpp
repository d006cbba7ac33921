// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/loop.hpp>
#include <baton/async/result.hpp>
#include <baton/async/visit.hpp>

/// Coroutines that go from one loop to another.
namespace baton {
namespace async {

namespace detail {

/// Moves a strand. It is in no list on its way; nothing of this object is touched once it has been sent.
struct move_awaiter {
  bool await_ready() const noexcept { return to && to == own_inbox(); }
  template <typename Promise>
  handle await_suspend(std::coroutine_handle<Promise> h) noexcept {
    return begin(h.promise(), h);
  }
  status await_resume() const noexcept { return outcome; }

  BATON_NOINLINE handle begin(promise_base& p, handle h) noexcept {
    BATON_REQUIRE(migration_without_loop, own_inbox());
    promise_base& strand = *p.strand();
    visit* v = visit::of(strand);
    const bool goes_home = v ? !to || v->is_home(*to) : !to;
    if (goes_home && !v) return h;
    if (!goes_home && strand.home().is_stopping()) return outcome = status::cancelled, h;
    ready::leave(&strand);
    strand.next = nullptr;
    strand.other = h.address();
    trace(transition::wait, &strand);
    if (v) {
      v->leave(goes_home ? nullptr : to, outcome);
    } else {
      visit::depart(strand, *to, outcome);
    }
    return next_in_queue();
  }

  inbox* to;  // null: home
  status outcome = status::ok;
};

/// A coroutine on its way to where it begins.
struct delivery {
  explicit delivery(task<void>&& t) noexcept : what(detail::move(t)), box(&arrive, this) {}

  static void arrive(void* p) {
    delivery* d = static_cast<delivery*>(p);
    task<void> t = detail::move(d->what);
    d->~delivery();
    free_frame(d, sizeof(delivery));
    own_scope()->spawn(detail::move(t));
  }

  task<void> what;
  parcel box;
};

}  // namespace detail

/// For co_await: the coroutine, with those that await it, goes on in another loop.
///
///     co_await async::on(worker);     // on the worker's thread from here
///     ...
///     co_await async::back();         // and home again
///
/// Context  a coroutine's home is the loop of its scope, which counts and stops it wherever it is. What belongs to a domain stays there: while it
///          is away it uses only what is the other loop's, or shared. It need not come back: where it ends, home is told. Home's `stop` ends its waits there; so
///          does a stop of the loop where it is. When that ends, its frames are destroyed there; when home has ended meanwhile,
///          likewise, where it is. It resumes at the tail of the other loop's queue.
/// Cost     two parcels there and back, a frame of the pool, and the wake-up of a loop that sleeps.
/// Errors   closed: that loop has ended, and it goes on where it was, or at home. full: no memory. cancelled: it was stopped, and has not gone; to go
///          home is always done. BATON_REQUIRE migration_without_loop: on a thread without a loop.
inline detail::move_awaiter on(inbox& there) noexcept {
  return {&there};
}
inline detail::move_awaiter on(const address& there) noexcept {
  return {&there.mail()};
}
template <typename Tick>
detail::move_awaiter on(basic_loop<Tick>& there) noexcept {
  return {&there.mail()};
}

/// For co_await: home again; where it is at home it goes on.
inline detail::move_awaiter back() noexcept {
  return {nullptr};
}

/// Has a coroutine begin in another loop, among those that were spawned there: `loop::all()`.
/// Context  any thread.
/// Errors   closed: that loop has ended, and the coroutine was destroyed, unbegun. full: no memory.
inline status spawn_on(const address& there, task<void> t) {
  void* memory = detail::allocate_frame(sizeof(detail::delivery));
  if (!memory) return status::full;
  detail::delivery* d = ::new (memory, detail::in_place()) detail::delivery(detail::move(t));
  if (there.mail().post(d->box)) return status::ok;
  d->~delivery();
  detail::free_frame(d, sizeof(detail::delivery));
  return status::closed;
}

/// Runs a task on another loop, and goes on at home with its result: `result<int> n = co_await run_on(worker, count(words));`
/// Context  as `on`. What the task throws is thrown at home.
/// Errors   those of `on`, where it has not begun.
template <typename T>
task<result<T>> run_on(address there, task<T> t) {
  const status went = co_await on(there);
  if (went != status::ok) co_return went;
#if BATON_ASYNC_THROWS
  result<T> got = status::cancelled;
  std::exception_ptr thrown;
  try {
    got = co_await detail::move(t);
  } catch (...) {
    thrown = std::current_exception();
  }
  co_await back();
  if (thrown) std::rethrow_exception(thrown);
#else
  result<T> got = co_await detail::move(t);
  co_await back();
#endif
  co_return got;
}

/// Waits until the coroutines of another loop's scope have ended, and goes on at home.
/// Context  `s` lives until then. A stop of the caller's scope stops them. What one of them threw is thrown at home.
/// Errors   those of `on`: it has not waited.
inline task<status> join_on(address there, scope& s) {
  const status went = co_await on(there);
  if (went != status::ok) co_return went;
#if BATON_ASYNC_THROWS
  std::exception_ptr thrown;
  try {
    co_await s.join();
  } catch (...) {
    thrown = std::current_exception();
  }
  co_await back();
  if (thrown) std::rethrow_exception(thrown);
#else
  co_await s.join();
  co_await back();
#endif
  co_return status::ok;
}

}  // namespace async
}  // namespace baton
