// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/scope.hpp>
#include <baton/async/slow_path.hpp>

/// Awaiters for operations of core's wait protocol.
namespace baton::BATON_VARIANT::async {

namespace detail {

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

/// Ends the wait of a coroutine that is destroyed while it waits or after it was woken.
template <typename Operation>
auto abandon(Operation& o, call_chain& c, int) -> decltype(o.abandon(c)) {
  o.abandon(c);
}
template <typename Operation>
void abandon(Operation& o, call_chain& c, long) {
  if (c.still_waits()) Operation::withdraw(c);
  if (c.on == waiter::delivered) give_back(o, 0);
}

/// True if an operation copies a value whose copy may throw.
template <typename Operation>
constexpr bool may_throw = false;
template <typename Operation>
  requires(Operation::may_throw)
constexpr bool may_throw<Operation> = true;

/// True if an operation suspends by `list_wait::suspend`, or that of `list_wait_of`, itself.
constexpr bool suspends_in_list(void (list_wait::*)(waiter&) const) {
  return true;
}
template <typename Primitive, uint8_t Who>
constexpr bool suspends_in_list(void (list_wait_of<Primitive, Who>::*)(waiter&) const) {
  return true;
}
template <typename Suspend>
constexpr bool suspends_in_list(Suspend) {
  return false;
}
BATON_INLINE wait_list* list_of(const list_wait& o) noexcept {
  return o.list;
}
template <typename Primitive, uint8_t Who>
BATON_INLINE wait_list* list_of(const list_wait_of<Primitive, Who>& o) noexcept {
  return o.list();
}

/// True if the operation is needed at the end of its wait, beyond the status.
template <typename Operation>
constexpr bool is_needed_to_the_end = requires(Operation& o, waiter& w) { o.abandon(w); } || requires(Operation& o) {
  o.give_back();
} || requires(Operation& o, status s) { o.outcome(s); };

/// True if the operation takes something that is lost if the coroutine does not go on.
template <typename Operation>
constexpr bool takes = false;
template <typename Operation>
  requires(Operation::takes)
constexpr bool takes<Operation> = true;

/// True if the operation's wait puts a mark into the waiter's `at`.
template <typename Operation>
constexpr bool marks_waiter = false;
template <typename Operation>
  requires(Operation::marks_waiter)
constexpr bool marks_waiter<Operation> = true;

/// The progress of one await.
enum class wait_progress : uint8_t { over, waits, gives_way };

/// True if the wait is in a list, and nothing has to be given back: the chain needs no `withdraw`.
template <typename Operation>
constexpr bool is_simple = !is_needed_to_the_end<Operation> && suspends_in_list(&Operation::suspend);

/// The operation of a wait, where it is needed to the end. A coroutine that is destroyed in between
/// leaves what it waits for, and gives back what was handed to it.
template <typename Operation, bool IsNeeded = is_needed_to_the_end<Operation>>
struct operation_of_wait {
  explicit operation_of_wait(Operation& o) noexcept : operation(o) {}
  ~operation_of_wait() {
    if (BATON_UNLIKELY(progress != wait_progress::over)) abandon(operation, *chain, 0);
  }
  void keep_chain(call_chain& c) noexcept { chain = &c; }

  Operation& operation;
  call_chain* chain;
  wait_progress progress = wait_progress::over;
};
template <typename Operation>
struct operation_of_wait<Operation, false> {
  explicit operation_of_wait(Operation&) noexcept {}
  void keep_chain(call_chain&) noexcept {}

  wait_progress progress;
};

/// `co_await channel.receive(value)`, `endpoint.call(exchange)`, `signal.wait()`, ...
///
/// Shape    the operation stays where the expression made it, in the frame, until the wait is over.
///          A copy would not be free: a wide load of what was stored word by word waits for the
///          stores. The wait begins when the awaiter is made, where the operation is at hand. If
///          the copy of a value throws there, the coroutine gets the exception, and nothing has
///          happened.
template <typename Operation>
struct operation_awaiter : operation_of_wait<Operation> {
  static_assert(is_simple<Operation> || is_needed_to_the_end<Operation> || !takes<Operation>,
                "an operation that takes something and suspends by itself gives it back: give_back()");
  using base = operation_of_wait<Operation>;
  using base::progress;

  BATON_INLINE operation_awaiter(promise_base& p, Operation& o) noexcept(!may_throw<Operation>) : base(o) {
    this->keep_chain(*p.chain);
    progress = begin(*p.chain, p, o);
  }
  operation_awaiter(const operation_awaiter&) = delete;

  BATON_INLINE bool await_ready() const noexcept { return progress == wait_progress::over; }
  template <typename Promise>
  BATON_INLINE handle await_suspend(std::coroutine_handle<Promise> own) const noexcept {
    if (BATON_UNLIKELY(progress == wait_progress::gives_way)) {
      return slow_path<&let_others_run>(own.promise().chain, handle(own));  // NOLINT(google-readability-casting)
    }
    return next_in_queue();
  }

  [[nodiscard]] BATON_INLINE auto await_resume() noexcept {
    call_chain& c = running_chain();
    if constexpr (is_needed_to_the_end<Operation>) {
      if constexpr (marks_waiter<Operation>) {
        if (progress == wait_progress::waits) c.at = 0;
      }
      progress = wait_progress::over;
      return outcome_of(this->operation, c.take_result(), 0);
    } else {
      return c.take_result<!is_simple<Operation>>();
    }
  }

 private:
  static bool withdraw(call_chain& c) { return Operation::withdraw(c); }
  static bool refuse_wait(call_chain* c) noexcept { return c->refuse_wait(); }
  static handle let_others_run(call_chain* c, handle own) noexcept { return give_way(*c, own); }

  // The progress is returned, and stored last: the compiler then knows it where it is read.
  BATON_INLINE static wait_progress begin(call_chain& c, promise_base& p,
                                          Operation& o) noexcept(!may_throw<Operation>) {
    if (BATON_UNLIKELY(c.parent_scope().is_stopping())) {
      return slow_path<&refuse_wait>(&c) ? wait_progress::gives_way : wait_progress::over;
    }
    if (o.try_now(c)) {
      if (BATON_LIKELY(--transfers_left() != 0)) return wait_progress::over;
      if (takes<Operation> && c.result() == status::ok) c.on = waiter::delivered;
      return wait_progress::gives_way;
    }
    if constexpr (suspends_in_list(&Operation::suspend)) {
      if constexpr (!is_simple<Operation>) c.withdraw = &withdraw;
      return wait_in_list(c, p.own_handle(), o);
    } else {
      return wait(c, p.own_handle(), o);
    }
  }

  /// The chain stays the head of the queue until the operation takes it out. If the operation has
  /// ended at once instead, the coroutine goes on.
  BATON_INLINE static wait_progress wait(call_chain& c, handle own, Operation& o) noexcept(!may_throw<Operation>) {
    c.other = own.address();
    if constexpr (may_throw<Operation>) {
      o.suspend(c);  // it may throw, and a later wait expects no `withdraw`
      c.withdraw = &withdraw;
    } else {
      c.withdraw = &withdraw;
      o.suspend(c);
    }
    return BATON_LIKELY(c.still_waits()) ? wait_progress::waits : wait_progress::over;
  }

  /// Does what `list_wait::suspend` does. The chain is the head of the queue.
  BATON_INLINE static wait_progress wait_in_list(call_chain& c, handle own, const Operation& o) noexcept {
    wait_list* const list = list_of(o);
    if (BATON_UNLIKELY(list->kind != wait_list::nobody)) {
      return slow_path<&wait_behind_others>(&c, own, list, uint8_t(o.who), static_cast<void*>(o.slot));  // NOLINT
    }
    c.leave_to_wait(own);
    list->push_first(&c, o.who);
    return waits(c, list, o.slot);
  }
  BATON_NOINLINE static wait_progress wait_behind_others(call_chain* c, handle own, wait_list* list, uint8_t who,
                                                         void* slot) noexcept {
    if (list->is_closed()) return c->end(status::closed), wait_progress::over;
    c->leave_to_wait(own);
    list->push_behind(c, who);
    return waits(*c, list, slot);
  }
  BATON_INLINE static wait_progress waits(call_chain& c, wait_list* list, void* slot) noexcept {
    c.slot = slot;
    c.on = reinterpret_cast<uintptr_t>(list);
    trace(transition::wait, &c, list);
    return wait_progress::waits;
  }
};

/// The operation that `scope::join` returns.
struct [[nodiscard]] join_operation {
  scope* joined;
  bool throws = true;        // throw what a coroutine in the scope threw
  bool is_shielded = false;  // a stop of the joining coroutine's scope does not stop the joined ones
};

/// The wait of a call chain for the coroutines of a scope. A stop goes to those coroutines, and the
/// wait goes on until they have ended.
struct join_awaiter {
  join_awaiter(promise_base& p, join_operation o) noexcept
      : chain(p.chain), joined(o.joined), throws(o.throws), is_shielded(o.is_shielded) {}
  join_awaiter(const join_awaiter&) = delete;
  ~join_awaiter() { give_up_joining(); }

  bool await_ready() const noexcept { return joined->running_ == 0 && --transfers_left() != 0; }

  handle await_suspend(handle own) noexcept {
    call_chain& c = *chain;
    const bool has_shielded_too_often = is_shielded && c.at == call_chain::most_cancelled_waits;
    if (joined->running_ == 0 || has_shielded_too_often) return give_way(c, own);
    BATON_REQUIRE(scope_joined_twice, !joined->joining_);
    if (c.parent_scope().is_stopping() && !is_shielded) joined->stop();
    c.leave_to_wait(own);
    c.withdraw = is_shielded ? &go_on_waiting : &stop_them;
    c.slot = joined;
    c.on = waiter::sleeping;
    joined->joining_ = &c;
    trace(transition::wait, &c, joined);
    return next_in_queue();
  }

  void await_resume() {
    count_as_wait();
    chain->take_result();
    if (throws) {
      joined->rethrow();
    } else {
      joined->ignore_failure();
    }
  }

  /// A join is an outcome other than `cancelled`. A shielded one counts as a wait that the stop has
  /// ended, so that a stopped coroutine cannot go on by shields for ever.
  void count_as_wait() noexcept {
    if (!is_shielded) {
      chain->at = 0;
    } else if (chain->parent_scope().is_stopping() && chain->at < call_chain::most_cancelled_waits) {
      ++chain->at;
    }
  }

  static bool go_on_waiting(call_chain&) { return false; }
  static bool stop_them(call_chain& c) {
    static_cast<scope*>(c.slot)->stop();
    return false;
  }

  /// Gives up the join, at its deadline: the coroutines go on without it.
  bool give_up_joining() noexcept {
    if (joined->joining_ != chain) return false;
    joined->joining_ = nullptr;
    return true;
  }

  call_chain* chain;
  scope* joined;
  bool throws;
  bool is_shielded;
};

}  // namespace detail

inline detail::join_operation scope::join() noexcept {
  return {this};
}

inline detail::join_operation scope::join_nothrow() noexcept {
  return {this, false};
}

}  // namespace baton::BATON_VARIANT::async
