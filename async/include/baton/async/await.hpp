// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/scope.hpp>

/// Awaiters for operations of core's wait protocol.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// Puts the waiter in the ready queue in place of the running call chain; the operation takes it
/// from there. `own` goes on when the wait is over.
BATON_INLINE void stand_in(call_chain_waiter& w, handle own) {
  put_at_head(w.call_chain, &w);
  w.call_chain->next = nullptr;
  w.call_chain->other = own.address();
}

/// Puts the call chain in its place again: the wait is over before it began.
BATON_INLINE void stand_back(call_chain_waiter& w) {
  put_at_head(&w, w.call_chain);
  w.next = nullptr;
}

/// The result of `co_await`: the operation's `outcome(status)` if it has one, else the status.
template <typename Operation>
BATON_INLINE auto outcome_of(Operation& o, status ended, int) -> decltype(o.outcome(ended)) {
  return o.outcome(ended);
}
template <typename Operation>
BATON_INLINE status outcome_of(Operation&, status ended, long) {
  return ended;
}

/// Returns a value that was handed to a coroutine that is destroyed before it ran. If the operation
/// cannot take the value back, it is counted as dropped.
template <typename Operation>
auto give_back(Operation& o, int) -> decltype(o.give_back()) {
  o.give_back();
}
template <typename Operation>
void give_back(Operation&, long) {
  baton::spi::count_dropped_value();
}

/// Ends the wait of a coroutine that is destroyed while it waits or after it was woken. true: a
/// value had been handed to it.
template <typename Operation>
BATON_NOINLINE bool end_wait(call_chain_waiter& w) {
  if (!w.still_waits()) return w.on == waiter::delivered;
  Operation::withdraw(w);
  w.end(status::cancelled);
  return false;
}
template <typename Operation>
auto abandon(Operation& o, call_chain_waiter& w, int) -> decltype(o.abandon(w)) {
  o.abandon(w);
}
template <typename Operation>
void abandon(Operation& o, call_chain_waiter& w, long) {
  if (end_wait<Operation>(w)) give_back(o, 0);
}

/// True if an operation copies a value whose copy may throw.
template <typename Operation>
constexpr bool may_throw = false;
template <typename Operation>
  requires(Operation::may_throw)
constexpr bool may_throw<Operation> = true;

/// Puts the call chain in its place again if an operation throws where it would have suspended.
struct stand_back_on_throw {
  explicit stand_back_on_throw(call_chain_waiter& w) noexcept : who(&w) {}
  stand_back_on_throw(const stand_back_on_throw&) = delete;
  ~stand_back_on_throw() {
    if (who) stand_back(*who);
  }
  call_chain_waiter* who;
};

/// True if an operation suspends by `list_wait::suspend` itself.
constexpr bool suspends_in_list(void (list_wait::*)(waiter&) const) {
  return true;
}
template <typename Suspend>
constexpr bool suspends_in_list(Suspend) {
  return false;
}

/// True if the operation is needed at the end of its wait, beyond the status.
template <typename Operation>
constexpr bool is_needed_to_the_end = requires(Operation& o, waiter& w) { o.abandon(w); } || requires(Operation& o) {
  o.give_back();
} || requires(Operation& o, status s) { o.outcome(s); };

template <typename Operation, bool IsNeeded = is_needed_to_the_end<Operation>>
struct operation_of_wait {
  explicit operation_of_wait(Operation& o) noexcept : operation(o) {}
  Operation& operation;
};
template <typename Operation>
struct operation_of_wait<Operation, false> {
  explicit operation_of_wait(Operation&) noexcept {}
};

/// `co_await channel.receive(value)`, `endpoint.call(exchange)`, `signal.wait()`, ...
///
/// Shape    the operation stays where the expression made it, in the frame, until the wait is over.
///          A copy would not be free: a wide load of what was stored word by word waits for the
///          stores. The wait begins when the awaiter is made, where the operation is at hand. If
///          the copy of a value throws there, the coroutine gets the exception, and nothing has
///          happened.
template <typename Operation>
struct operation_awaiter : call_chain_waiter, operation_of_wait<Operation> {
  BATON_INLINE operation_awaiter(promise_base& p, Operation& o) noexcept(!may_throw<Operation>)
      : operation_awaiter(p.call_chain(), p, o) {}
  ~operation_awaiter() {
    if (BATON_UNLIKELY(is_suspended()) && (next || still_waits())) leave_what_it_waits_for();
  }

  BATON_INLINE bool await_ready() const noexcept { return !is_suspended(); }
  BATON_INLINE handle await_suspend(handle) const noexcept { return next_in_queue<likely_next::woken>(); }

  BATON_INLINE auto await_resume() noexcept {
    goes_on();
    if constexpr (is_needed_to_the_end<Operation>) {
      return outcome_of(this->operation, result(), 0);
    } else {
      return result();
    }
  }

  static bool give_up(call_chain_waiter& w) { return Operation::withdraw(w); }

 private:
  // Values that are known are passed as arguments: they are not read again from a frame that others
  // can reach.
  BATON_INLINE operation_awaiter(promise_base* s, promise_base& p, Operation& o) noexcept(!may_throw<Operation>)
      : call_chain_waiter(unset()), operation_of_wait<Operation>(o) {
    scope& parent = s->parent_scope();
    if (BATON_UNLIKELY(parent.is_stopping())) {
      end(status::cancelled);
    } else if (!o.try_now(*this)) {
      wait(s, parent, p.own_handle(), o);
    }
  }

  BATON_INLINE void wait(promise_base* s, scope& parent, handle own, Operation& o) noexcept(!may_throw<Operation>) {
    call_chain = s;
    if constexpr (suspends_in_list(&Operation::suspend)) {
      wait_in_list(s, parent, own, o);
    } else {
      begin(&give_up);
      stand_in(*this, own);
      if constexpr (may_throw<Operation>) {
        stand_back_on_throw standing(*this);
        o.suspend(*this);
        standing.who = nullptr;
      } else {
        o.suspend(*this);
      }
      if (BATON_UNLIKELY(!still_waits())) return stand_back(*this);
      parent.note_wait(*this);
    }
  }

  /// Does what `suspend` does without the ready queue: takes the call chain's job out of it and
  /// puts the waiter into the list.
  BATON_INLINE void wait_in_list(promise_base* s, scope& parent, handle own, const list_wait& o) noexcept {
    wait_list* const list = o.list;
    void* const where = o.slot;
    const uint8_t who = o.who;
    withdraw = &give_up;
    if (BATON_UNLIKELY(list->kind != wait_list::nobody)) return wait_behind_others(parent, own, list, who, where);
    list->push_first(this, who);
    stand_in_list(s, parent, own, list, where);
  }
  BATON_NOINLINE void wait_behind_others(scope& parent, handle own, wait_list* list, uint8_t who,
                                         void* where) noexcept {
    if (list->is_closed()) return end(status::closed);
    list->push_behind(this, who);
    stand_in_list(call_chain, parent, own, list, where);
  }
  BATON_INLINE void stand_in_list(promise_base* s, scope& parent, handle own, wait_list* list, void* where) noexcept {
    leave_to_wait(s, own);
    body = &run;
    at = 0;
    slot = where;
    on = reinterpret_cast<uintptr_t>(list);
    trace(transition::wait, this, list);
    parent.note_wait(*this);
  }

  void leave_what_it_waits_for() noexcept {
    if constexpr (is_needed_to_the_end<Operation>) {
      abandon(this->operation, *this, 0);
    } else if (end_wait<Operation>(*this)) {
      baton::spi::count_dropped_value();
    }
  }
};

/// The operation that `scope::join` returns.
struct join_operation {
  scope* joined;
  bool throws = true;  // throw what a coroutine in the scope threw
};

/// The wait of a call chain for the coroutines of a scope. A stop goes to those coroutines, and the
/// wait goes on until they have ended.
struct join_awaiter : call_chain_waiter {
  join_awaiter(promise_base& p, join_operation o) noexcept : call_chain_waiter(p), joined(o.joined), throws(o.throws) {}
  ~join_awaiter() { give_up_joining(); }

  bool await_ready() const noexcept { return joined->running_ == 0; }

  handle await_suspend(handle own) noexcept {
    BATON_REQUIRE(scope_joined_twice, !joined->joining_);
    begin(&stop_them);
    if (parent_scope().is_stopping()) joined->stop();
    parent_scope().note_wait(*this);
    leave_to_wait(call_chain, own);
    joined->joining_ = this;
    trace(transition::wait, this, joined);
    return next_in_queue();
  }

  void await_resume() {
    goes_on();
    if (throws) joined->failure_.rethrow();
  }

  static bool stop_them(call_chain_waiter& w) {
    static_cast<join_awaiter&>(w).joined->stop();
    return false;
  }

  /// Gives up the join, at its deadline: the coroutines go on without it.
  bool give_up_joining() noexcept {
    if (joined->joining_ != this) return false;
    joined->joining_ = nullptr;
    return true;
  }

  scope* joined;
  bool throws;
};

}  // namespace detail

inline detail::join_operation scope::join() noexcept {
  return {this};
}

inline detail::join_operation scope::join_nothrow() noexcept {
  return {this, false};
}

}  // namespace baton::BATON_VARIANT::async
