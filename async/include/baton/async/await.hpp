// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/operation_traits.hpp>
#include <baton/async/scope.hpp>
#include <baton/async/slow_path.hpp>

/// Awaiters for operations of core's wait protocol.
namespace baton::BATON_VARIANT::async {
namespace detail {

/// The progress of one await.
enum class wait_progress : uint8_t { over, waits, gives_way };

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
      const handle self = own;
      return slow_path<&let_others_run>(own.promise().chain, self);
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
      return slow_path<&wait_behind_others>(&c, own, list, static_cast<uint8_t>(o.who), static_cast<void*>(o.slot));
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

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
