// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/call_chain.hpp>
#include <baton/async/failure.hpp>
#include <baton/async/stop.hpp>

namespace baton::BATON_VARIANT::async {

template <typename T>
class task;

namespace detail {

struct join_operation;
struct join_awaiter;
struct migration;

/// How many scopes are destroying their coroutines, one inside the other.
BATON_INLINE uint8_t& destroys() {
  return domain::variable<struct destroys_name, uint8_t>::get();
}

}  // namespace detail

/// Where spawned coroutines live: it counts them, stops them together, and ends only when they have.
///
///     async::scope workers;
///     workers.spawn(fetch(1));
///     workers.spawn(fetch(2));
///     co_await workers.join();
///
/// Shape    no heap; a member, or a local of a coroutine. It outlives what is spawned in it.
/// Context  one domain. `stop` ends every wait of its coroutines with `cancelled`, now and from now on, and so on down: a
///          coroutine that joins a scope of its own stops that one. A coroutine that throws stops the scope, and `join`
///          throws what the first of them threw.
/// Errors   BATON_REQUIRE scope_not_empty: destroyed while a coroutine was in it, unless it goes with a coroutine that is destroyed. scope_joined_twice: two coroutines join it at once.
class scope {
 public:
  scope() = default;
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  ~scope() {
    if (BATON_LIKELY(running_ == 0)) return;
    BATON_REQUIRE(scope_not_empty, detail::destroys() != 0);
    destroy_all();
  }

  /// Makes a coroutine ready, in a call chain of its own, at the tail of the queue.
  void spawn(task<void> t);

  /// How many have not ended.
  uint32_t running() const { return running_; }
  bool is_stopping() const { return stops_.is_stopping(); }

  /// Whether a coroutine in it threw, and nobody has joined it since.
  bool has_failed() const { return static_cast<bool>(failure_); }

  /// For what should end with it and is not in it: other waits, with `until_stop`, and callbacks.
  stop_token token() noexcept { return stops_.token(); }

  /// Ends the waits of its coroutines with `cancelled`, those that began last first, after its callbacks; and waits that begin later at once. Idempotent.
  void stop() noexcept {
    if (is_stopping()) return;
    stops_.stop();
    // Each stays linked until its coroutine goes on: who destroys the scope before that finds it here.
    for (detail::wait_link* l = waiting_.following; l != &waiting_; l = l->following) {
      detail::call_chain_waiter* w = static_cast<detail::call_chain_waiter*>(l);
      if (w->withdraw(*w)) wake(w, static_cast<uint8_t>(status::cancelled));
    }
  }

  /// For co_await: waits until none is left.
  detail::join_operation join() noexcept;

  /// Destroys the coroutines that are in it, wherever they are, and those in their scopes; their locals' destructors run.
  /// Context  none of them runs: when a loop ends, with its scope.
  void destroy_all() noexcept {
    ++detail::destroys();
    destroy_each();
    --detail::destroys();
  }

  /// For what async is built of.
  void note_wait(detail::call_chain_waiter& w) noexcept { w.link(waiting_); }
  BATON_NOINLINE void note_failure(detail::failure& f) noexcept {
    if (!failure_) failure_ = detail::move(f);
    stop();
  }
  void end_of(detail::promise_base& call_chain) noexcept {
    ready::pop_head(domain::tail(), &call_chain);
    trace(transition::done, &call_chain);
    call_chain.own_handle().destroy();
    left();
  }

 private:
  friend struct detail::join_awaiter;
  friend struct detail::migration;

  void destroy_each() noexcept {
    while (waiting_.following != &waiting_) {
      detail::call_chain_waiter* w = static_cast<detail::call_chain_waiter*>(waiting_.following);
      if (w->call_chain) {
        destroy(*w->call_chain);
      } else {
        abandon(*w);
      }
    }
    while (running_ != 0 && destroy_a_ready_one()) {
    }
  }

  /// It is on another loop, and is told there.
  void abandon(detail::call_chain_waiter& w) noexcept {
    w.unlink();
    w.withdraw(w);
    left();
  }

  void left() noexcept {
    if (--running_ == 0 && joining_) wake(detail::exchange<detail::call_chain_waiter*>(joining_, nullptr), 0);
  }

  void destroy(detail::promise_base& call_chain) noexcept {
    if (call_chain.next) ready::remove(&call_chain);
    call_chain.own_handle().destroy();
    left();
  }

  /// One that stands in the ready queue, for itself or as a waiter that was woken.
  bool destroy_a_ready_one() noexcept {
    job* t = domain::tail();
    if (!t) return false;
    job* j = t;
    do {
      j = j->next;
      detail::promise_base* p = nullptr;  // A ring. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
      if (j->body == &detail::run_call_chain) p = static_cast<detail::promise_base*>(j);
      if (j->body == &detail::call_chain_waiter::run) {
        p = static_cast<detail::call_chain_waiter*>(static_cast<waiter*>(j))->call_chain;
      }
      if (p && p->back == this) {
        destroy(*p);
        return true;
      }
    } while (j != t);
    return false;
  }

  uint32_t running_ = 0;
  stop_source stops_;
  detail::wait_link waiting_ = {&waiting_, &waiting_};  // who may be cancelled, in a ring
  detail::call_chain_waiter* joining_ = nullptr;
  detail::failure failure_;
};

}  // namespace baton::BATON_VARIANT::async
