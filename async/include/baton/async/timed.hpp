// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/alarm.hpp>
#include <baton/async/await.hpp>
#include <baton/async/join.hpp>
#include <baton/async/spi/expirable.hpp>
#include <baton/core/spi/time_limit.hpp>

/// Deadlines and delays of coroutines.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// The due time of a limit that begins to count when this is made.
template <typename Limit>
struct due_time {
  explicit due_time(Limit length) noexcept : due(port::now() + length.ticks()) {}
  explicit due_time(tick at) noexcept : due(at) {}
  BATON_INLINE void arm(alarm& a) const noexcept { a.arm(due); }

  tick due;
};
template <>
struct due_time<time_limit> {
  explicit due_time(time_limit limit) noexcept : due(port::now() + limit.ticks()), is_set(limit.is_finite()) {}
  void arm(alarm& a) const noexcept {
    if (is_set) a.arm(due);
  }

  tick due;
  bool is_set;
};
template <>
struct due_time<forever_t> {
  explicit due_time(forever_t) noexcept {}
  void arm(alarm&) const noexcept {}
};

}  // namespace detail

/// Adds a deadline to an operation, a join or a task. At the deadline the operation is withdrawn,
/// the join given up, the task stopped: `co_await within(5_ms, channel.receive(value))` is
/// `timed_out` then.
///
/// Units    a `duration`, a duration of `std::chrono`, `forever`, which is no deadline, or a
///          `time_limit`, which is either. It counts from here.
template <typename Operation, typename Limit = duration>
struct [[nodiscard]] within {
  [[nodiscard]] within(Limit limit, const Operation& o) noexcept : due(limit), operation(o) {}
  [[nodiscard]] within(detail::due_time<Limit> at, const Operation& o) noexcept : due(at), operation(o) {}

  detail::due_time<Limit> due;
  Operation operation;
};

template <typename Limit, typename Operation>
within(Limit, const Operation&) -> within<Operation, typename baton::spi::limit_of<Limit>::type>;

namespace detail {

template <typename Limit>
struct [[nodiscard]] sleep_operation {
  due_time<Limit> due;
};

/// The alarm of a chain's deadline. It ends the wait, unless the wait has ended.
struct deadline_alarm : alarm {
  explicit deadline_alarm(call_chain* c) noexcept : alarm(&expire), chain(c) {}

  static point expire(job* j, point) {
    deadline_alarm* a = static_cast<deadline_alarm*>(static_cast<alarm*>(j));
    a->leave();
    a->chain->end_wait(status::timed_out);
    return suspended;
  }

  call_chain* chain;
};

template <typename Operation, typename Limit>
struct within_awaiter : operation_awaiter<Operation> {
  using base = operation_awaiter<Operation>;

  within_awaiter(promise_base& p, within<Operation, Limit>& w) noexcept(!may_throw<Operation>)
      : base(p, w.operation), deadline(p.chain), due(w.due) {}

  template <typename Promise>
  BATON_INLINE handle await_suspend(std::coroutine_handle<Promise> h) noexcept {
    if (this->progress == wait_progress::waits) due.arm(deadline);
    return base::await_suspend(h);
  }

  [[nodiscard]] BATON_INLINE auto await_resume() noexcept {
    deadline.disarm();
    return base::await_resume();
  }

  deadline_alarm deadline;
  due_time<Limit> due;
};

/// A join with a deadline. At the deadline the coroutines go on, and can be stopped or joined
/// again.
template <typename Limit>
struct within_awaiter<join_operation, Limit> : join_awaiter {
  within_awaiter(promise_base& p, const within<join_operation, Limit>& w) noexcept
      : join_awaiter(p, w.operation), deadline(&expire, *this), due(w.due) {}

  handle await_suspend(handle h) noexcept {
    if (joined->running() != 0) due.arm(deadline);
    return join_awaiter::await_suspend(h);
  }

  [[nodiscard]] status await_resume() {
    deadline.disarm();
    if (is_given_up) return this->count_as_wait(), chain->take_result();
    join_awaiter::await_resume();
    return status::ok;
  }

  struct join_alarm : alarm {
    join_alarm(job::function f, within_awaiter& o) noexcept : alarm(f), owner(&o) {}
    within_awaiter* owner;
  };

  static point expire(job* j, point) {
    join_alarm* a = static_cast<join_alarm*>(static_cast<alarm*>(j));
    a->leave();
    if (!a->owner->give_up_joining()) return suspended;
    a->owner->is_given_up = true;
    wake(a->owner->chain, static_cast<uint8_t>(status::timed_out));
    return suspended;
  }

  join_alarm deadline;
  due_time<Limit> due;
  bool is_given_up = false;
};

/// An operation of another module, which is asked to end at its deadline.
template <spi::expirable Operation, typename Limit>
struct within_awaiter<Operation, Limit> {
  within_awaiter(promise_base&, const within<Operation, Limit>& w)
      : operation(w.operation), deadline(&expire, *this), due(w.due) {}

  bool await_ready() const noexcept { return false; }

  template <typename Promise>
  handle await_suspend(std::coroutine_handle<Promise> h) {
    const handle next = operation.await_suspend(h);
    if (operation.is_waiting()) due.arm(deadline);
    return next;
  }

  [[nodiscard]] auto await_resume() {
    deadline.disarm();
    return operation.await_resume();
  }

  struct operation_alarm : alarm {
    operation_alarm(job::function f, within_awaiter& o) noexcept : alarm(f), owner(&o) {}
    within_awaiter* owner;
  };

  static point expire(job* j, point) {
    operation_alarm* a = static_cast<operation_alarm*>(static_cast<alarm*>(j));
    a->leave();
    a->owner->operation.expire();
    return suspended;
  }

  Operation operation;
  operation_alarm deadline;
  due_time<Limit> due;
};

/// A delay: a wait that only its alarm or a cancel ends.
template <typename Limit>
struct sleep_awaiter {
  sleep_awaiter(promise_base& p, sleep_operation<Limit> o) noexcept : wakeup(p.chain), due(o.due) {}
  sleep_awaiter(const sleep_awaiter&) = delete;

  bool await_ready() noexcept { return wakeup.chain->parent_scope().is_stopping() && !wakeup.chain->refuse_wait(); }

  handle await_suspend(handle own) noexcept {
    call_chain& c = *wakeup.chain;
    if (BATON_UNLIKELY(c.at == call_chain::most_cancelled_waits)) return give_way(c, own);
    c.leave_to_wait(own);
    c.withdraw = &give_up;
    c.slot = this;
    c.on = waiter::sleeping;
    trace(transition::wait, &c);
    due.arm(wakeup);
    return next_in_queue();
  }

  status await_resume() noexcept { return wakeup.chain->take_result(); }

  struct wakeup_alarm : alarm {
    explicit wakeup_alarm(call_chain* c) noexcept : alarm(&expire), chain(c) {}

    static point expire(job* j, point) {
      wakeup_alarm* a = static_cast<wakeup_alarm*>(static_cast<alarm*>(j));
      a->leave();
      wake(a->chain, static_cast<uint8_t>(status::ok));
      return suspended;
    }

    call_chain* chain;
  };

  static bool give_up(call_chain& c) {
    static_cast<sleep_awaiter*>(c.slot)->wakeup.disarm();
    return true;
  }

  wakeup_alarm wakeup;
  due_time<Limit> due;
};

/// A delay with a deadline.
template <typename Delay, typename Limit>
struct within_awaiter<sleep_operation<Delay>, Limit> : sleep_awaiter<Delay> {
  using base = sleep_awaiter<Delay>;

  within_awaiter(promise_base& p, const within<sleep_operation<Delay>, Limit>& w) noexcept
      : base(p, w.operation), deadline(p.chain), due(w.due) {}

  handle await_suspend(handle own) noexcept {
    const handle next = base::await_suspend(own);
    if (deadline.chain->still_waits()) due.arm(deadline);
    return next;
  }
  status await_resume() noexcept {
    deadline.disarm();
    return base::await_resume();
  }

  deadline_alarm deadline;
  due_time<Limit> due;
};

}  // namespace detail

/// For co_await: waits for a time. The status is `ok` or `cancelled`; it need not be read.
/// Units    as `within`. `forever` ends by a cancel alone.
template <typename Limit>
auto sleep_for(Limit length) noexcept {
  using limit = typename baton::spi::limit_of<Limit>::type;
  return detail::sleep_operation<limit>{detail::due_time<limit>(limit(length))};
}

/// For co_await: waits until a tick that is no further ahead than `longest_delay`.
inline detail::sleep_operation<duration> sleep_until(tick due) noexcept {
  return {detail::due_time<duration>(due)};
}

}  // namespace baton::BATON_VARIANT::async
