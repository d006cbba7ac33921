// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/alarm.hpp>
#include <baton/async/await.hpp>
#include <baton/async/spi/expirable.hpp>

/// Deadlines and delays of coroutines.
namespace baton::BATON_VARIANT::async {

/// Adds a deadline to an operation, a join or a task. At the deadline the operation is withdrawn,
/// the join given up, the task stopped: `co_await within(milliseconds(5), channel.receive(value))`
/// is `timed_out` then.
template <typename Operation>
struct within {
  within(tick ticks, const Operation& o) noexcept : due(port::now() + ticks), operation(o) {}

  tick due;
  Operation operation;
};

namespace detail {

struct sleep_operation {
  tick due;
};

template <typename Operation>
struct within_awaiter : operation_awaiter<Operation> {
  using base = operation_awaiter<Operation>;

  within_awaiter(promise_base& p, within<Operation>& w) noexcept(!may_throw<Operation>)
      : base(p, w.operation), deadline(&expire, *this), due(w.due) {}

  BATON_INLINE handle await_suspend(handle h) noexcept {
    const handle next = base::await_suspend(h);
    if (this->still_waits()) deadline.arm(due);
    return next;
  }

  BATON_INLINE auto await_resume() noexcept {
    deadline.disarm();
    return base::await_resume();
  }

  struct deadline_alarm : alarm {
    deadline_alarm(job::function f, within_awaiter& o) noexcept : alarm(f), owner(&o) {}
    within_awaiter* owner;
  };

  static point expire(job* j, point) {
    deadline_alarm* a = static_cast<deadline_alarm*>(static_cast<alarm*>(j));
    a->leave();
    if (Operation::withdraw(*a->owner)) wake(a->owner, static_cast<uint8_t>(status::timed_out));
    return suspended;
  }

  deadline_alarm deadline;
  tick due;
};

/// A join with a deadline. At the deadline the coroutines go on, and can be stopped or joined
/// again.
template <>
struct within_awaiter<join_operation> : join_awaiter {
  within_awaiter(promise_base& p, const within<join_operation>& w) noexcept
      : join_awaiter(p, w.operation), deadline(&expire, *this), due(w.due) {}

  handle await_suspend(handle h) noexcept {
    const handle next = join_awaiter::await_suspend(h);
    deadline.arm(due);
    return next;
  }

  status await_resume() {
    deadline.disarm();
    goes_on();
    if (result() == status::timed_out) return status::timed_out;
    join_awaiter::await_resume();
    return status::ok;
  }

  struct deadline_alarm : alarm {
    deadline_alarm(job::function f, within_awaiter& o) noexcept : alarm(f), owner(&o) {}
    within_awaiter* owner;
  };

  static point expire(job* j, point) {
    deadline_alarm* a = static_cast<deadline_alarm*>(static_cast<alarm*>(j));
    a->leave();
    if (a->owner->give_up_joining()) wake(a->owner, static_cast<uint8_t>(status::timed_out));
    return suspended;
  }

  deadline_alarm deadline;
  tick due;
};

/// An operation of another module, which is asked to end at its deadline.
template <spi::expirable Operation>
struct within_awaiter<Operation> {
  within_awaiter(promise_base&, const within<Operation>& w)
      : operation(w.operation), deadline(&expire, *this), due(w.due) {}

  bool await_ready() const noexcept { return false; }

  template <typename Promise>
  handle await_suspend(std::coroutine_handle<Promise> h) {
    const handle next = operation.await_suspend(h);
    if (operation.is_waiting()) deadline.arm(due);
    return next;
  }

  auto await_resume() {
    deadline.disarm();
    return operation.await_resume();
  }

  struct deadline_alarm : alarm {
    deadline_alarm(job::function f, within_awaiter& o) noexcept : alarm(f), owner(&o) {}
    within_awaiter* owner;
  };

  static point expire(job* j, point) {
    deadline_alarm* a = static_cast<deadline_alarm*>(static_cast<alarm*>(j));
    a->leave();
    a->owner->operation.expire();
    return suspended;
  }

  Operation operation;
  deadline_alarm deadline;
  tick due;
};

/// A delay: a wait that only its alarm or a cancel ends.
struct sleep_awaiter : call_chain_waiter {
  sleep_awaiter(promise_base& p, sleep_operation o) noexcept
      : call_chain_waiter(p, &give_up), wakeup(&expire, *this), due(o.due) {}

  bool await_ready() noexcept {
    if (BATON_LIKELY(!parent_scope().is_stopping())) return false;
    end(status::cancelled);
    return true;
  }

  handle await_suspend(handle own) noexcept {
    leave_to_wait(call_chain, own);
    parent_scope().note_wait(*this);
    on = sleeping;
    trace(transition::wait, this);
    wakeup.arm(due);
    return next_in_queue();
  }

  status await_resume() noexcept {
    goes_on();
    return result();
  }

  struct wakeup_alarm : alarm {
    wakeup_alarm(job::function f, sleep_awaiter& o) noexcept : alarm(f), owner(&o) {}
    sleep_awaiter* owner;
  };

  static point expire(job* j, point) {
    wakeup_alarm* a = static_cast<wakeup_alarm*>(static_cast<alarm*>(j));
    a->leave();
    wake(a->owner, static_cast<uint8_t>(status::ok));
    return suspended;
  }

  static bool give_up(call_chain_waiter& w) {
    sleep_awaiter& s = static_cast<sleep_awaiter&>(w);
    s.wakeup.disarm();
    return s.on == sleeping;
  }

  wakeup_alarm wakeup;
  tick due;
};

}  // namespace detail

/// For co_await: waits for a time. The status is `ok` or `cancelled`.
inline detail::sleep_operation sleep_for(tick ticks) noexcept {
  return {port::now() + ticks};
}

/// For co_await: waits until a tick that is no further ahead than `longest_delay`.
inline detail::sleep_operation sleep_until(tick due) noexcept {
  return {due};
}

}  // namespace baton::BATON_VARIANT::async
