// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/call_chain.hpp>
#include <baton/async/destroyed.hpp>
#include <baton/async/failure.hpp>
#include <baton/async/frame_pool.hpp>
#include <baton/async/stop.hpp>

namespace baton::BATON_VARIANT::async {

template <typename T>
class task;

namespace detail {

struct join_operation;
struct join_awaiter;
struct migration;
inline point destroy_stopped(job* j, point);

/// The number of scopes that are destroying their coroutines, one inside the other.
BATON_INLINE uint8_t& destroys() {
  return domain::variable<struct destroys_name, uint8_t>::get();
}

}  // namespace detail

/// The parent of spawned coroutines: it counts them, stops them together, and outlives them all.
///
///     async::scope workers;
///     workers.spawn(fetch(1));
///     workers.spawn(fetch(2));
///     co_await workers.join();
///
/// Shape    no heap; a member, or a local variable of a coroutine. It outlives what is spawned in
///          it.
/// Context  one domain. `stop` ends every wait of its coroutines with `cancelled`, including waits
///          that begin later, and reaches down: a coroutine that joins a scope of its own stops
///          that scope. A coroutine that throws stops the scope, and `join` throws what the first
///          of them threw.
/// Errors   BATON_REQUIRE scope_not_empty: the scope is destroyed while a coroutine is in it. But
///          if it is destroyed with the coroutine that owns it, or while an exception unwinds the
///          stack, its coroutines are destroyed with it. scope_joined_twice: two
///          coroutines join it at once. failure_without_join: it is destroyed with an exception of
///          a coroutine that no join has thrown, and about which `has_failed` was not asked.
class scope {
 public:
  scope() = default;
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  ~scope() {
    if (BATON_UNLIKELY(running_ != 0)) {
      BATON_REQUIRE(scope_not_empty, detail::destroys() != 0 || detail::is_unwinding());
      destroy_all();
    }
    if (BATON_UNLIKELY(static_cast<bool>(failure_))) require_join();
  }

  /// Makes a coroutine ready, in a call chain of its own, at the tail of the queue. In a scope that
  /// is stopping it runs, and each of its waits ends with `cancelled`.
  ///
  /// Errors   BATON_REQUIRE spawn_without_frame: the task is empty, because there was no memory.
  void spawn(task<void> t);

  /// The number of coroutines that have not ended.
  uint32_t running() const { return running_; }
  bool is_stopping() const { return stops_.is_stopping(); }

  /// True if a coroutine in it threw and no join has rethrown the exception since.
  bool has_failed() const {
    failure_is_known_ = true;
    return static_cast<bool>(failure_);
  }

  /// A token for what should end with the scope but is not in it: other waits, by `until_stop`, and
  /// callbacks.
  stop_token token() noexcept { return stops_.token(); }

  /// Calls its callbacks, then ends the waits of its coroutines with `cancelled`, in the order in
  /// which they were spawned. A wait that begins afterwards ends at once. Idempotent.
  void stop() noexcept {
    if (is_stopping()) return;
    stops_.stop();
    for (detail::scope_link* l = members_.following; l != &members_; l = l->following) {
      static_cast<detail::call_chain*>(l)->end_wait(status::cancelled);
    }
  }

  /// For co_await: waits until no coroutine is left in it. No result.
  ///
  /// Context  the end of the last coroutine puts the caller at the tail of the queue. A stop of the
  ///          caller's scope stops this one, and the join still waits for its coroutines.
  /// Errors   rethrows the first exception that a coroutine of it threw.
  detail::join_operation join() noexcept;
  /// The same; what a coroutine threw is kept in the scope, and not thrown.
  detail::join_operation join_nothrow() noexcept;

  /// Destroys the coroutines that are in it, suspended or ready, and those in their scopes, the
  /// latest first; the destructors of their locals run.
  /// Context  none of them is running: a loop calls it for its scope when it ends.
  void destroy_all() noexcept {
    ++detail::destroys();
    destroy_each();
    --detail::destroys();
  }

  /// As `destroy_all`, at the limit of a stop: `on_destroyed` is told of each of its coroutines.
  void destroy_remaining() noexcept {
    for (detail::scope_link* l = members_.before; l != &members_; l = l->before) {
      detail::call_chain& c = *static_cast<detail::call_chain*>(l);
      if (!c.is_stand_in()) detail::tell_destroyed(c, destroyed_because::limit_reached);
    }
    destroy_all();
  }

  /// For the other parts of async.
  BATON_SLOW_PATH void note_failure(detail::failure& f) noexcept {
    if (!failure_) failure_ = detail::move(f);
    stop();
  }
  void rethrow() { failure_.rethrow(); }
  void ignore_failure() noexcept { failure_is_known_ = true; }
  void add(detail::call_chain& c, detail::handle first) noexcept {
    c.begin(*this, first.address());
    c.link_before(members_);
    ++running_;
    if constexpr (detail::has_heap) {
      ready::push_inline(&c);
    } else {
      ready::push(&c);  // one copy per program
    }
  }
  void end_of(detail::call_chain& c) noexcept {
    ready::pop_head(domain::tail(), &c);
    trace(transition::done, &c);
    c.unlink();
    c.own_handle().destroy();
    left();
  }

 private:
  /// Stops the program if an exception would be lost, unless its owner is being destroyed, or
  /// unwound by another exception.
  BATON_NOINLINE void require_join() const noexcept {
    BATON_REQUIRE(failure_without_join, failure_is_known_ || detail::destroys() != 0 || detail::is_unwinding());
  }

  friend struct detail::join_awaiter;
  friend struct detail::migration;
  friend point detail::destroy_stopped(job* j, point);

  void destroy_each() noexcept {
    while (members_.before != &members_) {
      detail::call_chain& c = *static_cast<detail::call_chain*>(members_.before);
      c.unlink();
      if (c.is_stand_in()) {
        c.end(status::cancelled);
        c.withdraw(c);  // it is told to end on its loop
      } else {
        detail::destroy_frames(c);
      }
      left();
    }
  }

  /// Destroys a chain that has ignored its stop.
  void destroy_member(detail::call_chain& c) noexcept {
    detail::tell_destroyed(c, destroyed_because::ignored_cancels);
    ++detail::destroys();
    c.unlink();
    detail::destroy_frames(c);
    --detail::destroys();
    left();
  }

  void left() noexcept {
    if (--running_ == 0 && joining_) wake(detail::exchange<waiter*>(joining_, nullptr), 0);
  }

  uint32_t running_ = 0;
  stop_source stops_;
  detail::scope_link members_ = {&members_, &members_};  // its call chains, in the order of their spawning
  waiter* joining_ = nullptr;
  detail::failure failure_;
  mutable bool failure_is_known_ = false;
};

namespace detail {

inline point destroy_stopped(job* j, point) {
  call_chain& c = chain_of(j);
  c.parent_scope().destroy_member(c);
  return suspended;
}

/// Lets others run before the coroutine goes on, whose wait is over before it began: it has had
/// many such waits in a row. A chain that has ignored its stop too often is destroyed when its turn
/// comes.
BATON_NOINLINE inline handle give_way(call_chain& c, handle own) noexcept {
  if (c.at == call_chain::most_cancelled_waits) c.body = &destroy_stopped;
  trace(transition::ready, &c);
  yield_to_queue(c, own);
  return std::noop_coroutine();
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
