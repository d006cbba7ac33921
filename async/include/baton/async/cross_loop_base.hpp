// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_wait.hpp>

#if __has_include(<mutex>)

/// Stackless coroutines that wait for cross-loop objects.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// A cross-loop operation whose record is in the coroutine's base.
template <typename Operation>
struct cross_loop_base_operation {
  static constexpr bool selectable = false;

  bool try_now(waiter& w) noexcept(!may_throw<Operation>) { return operation.try_once(w); }
  void suspend(waiter& w) noexcept(!may_throw<Operation>) {
    // If a copy throws, the body goes on where it was.
    const point label = may_throw<Operation> ? detail::exchange(w.at, label_before) : w.at;
    operation.suspend_in(*record, w);
    w.at = label;
  }
  static bool withdraw(waiter& w) noexcept { return cross_loop_wait::withdraw(w); }

  Operation operation;
  cross_loop_wait* record;
  point label_before;
};

}  // namespace detail

/// Adds waits for a `cross_loop_channel`, a `cross_loop_endpoint` and the end of a `loop_thread` to
/// the bases `waiting`, `timed_waiting` and `deadline`.
///
///     struct printer : baton::coroutine<printer, async::cross_loop_base<baton::deadline>> {
///       ...
///         BATON_WAIT_FOR(5_ms, orders.receive(order_));
///
/// Shape    the record of one wait, the message node that ends it, and the mailbox that the node is
///          sent to: 104 bytes on a 64-bit machine. The coroutine may outlive its loop, as any
///          stackless coroutine may.
/// Context  a loop's thread, which alone runs, cancels, suspends, restarts and destroys the
///          coroutine. The wait ends on the thread that hands over, and the coroutine goes on at
///          the tail of its own loop's queue. A wait that is cancelled or times out has not
///          happened; after the hand-over a cancel or a timeout is too late. A receiver that is
///          destroyed or restarted after the hand-over and before it ran loses the value, and
///          `dropped_values()` counts it. The base does the delays and the waits for primitives of
///          the loop.
/// Cost     as for a C++20 coroutine: a lock, and a message node if it waited.
/// Errors   BATON_REQUIRE cross_loop_wait_without_loop: a thread without a loop waits. Such a wait
///          cannot be a case of BATON_SELECT; it can be one of `async::select`.
template <typename Base = waiting>
struct cross_loop_base : Base {
  constexpr explicit cross_loop_base(job::function run) : Base(run) {}
  ~cross_loop_base() {
    if (sent_to_) sent_to_->forget();
  }

 protected:
  bool withdraw_() {
    const bool waited = detail::cross_loop_wait::settle(*this);
    if (waited) this->end(status::cancelled);
    return Base::withdraw_() || waited;
  }

  void leave_() {
    if (detail::cross_loop_wait::settle(*this)) this->end(status::cancelled);
    Base::leave_();
  }

  bool engaged_() const { return this->on == detail::cross_loop_wait::elsewhere || Base::engaged_(); }

  template <typename Operation>
  bool wait_(point label, const Operation& o) {
    return Base::wait_(label, with_record(o));
  }
  template <typename Limit, typename Operation>
  bool wait_for_(point label, Limit limit, const Operation& o) {
    return Base::wait_for_(label, limit, with_record(o));
  }
  template <typename Operation>
  bool wait_until_(point label, tick until, const Operation& o) {
    return Base::wait_until_(label, until, with_record(o));
  }

 private:
  template <typename Operation>
  static const Operation& with_record(const Operation& o) noexcept {
    return o;
  }
  template <detail::crosses_loops Operation>
  detail::cross_loop_base_operation<Operation> with_record(const Operation& o) noexcept {
    know_mailbox();
    return {o, &record_, this->at};
  }

  /// Keeps a reference to the mailbox of the running loop: a thread that finds the record in a list
  /// after that loop has ended finds the mailbox closed.
  BATON_INLINE void know_mailbox() noexcept {
    mailbox* const own = detail::own_mailbox();
    if (BATON_LIKELY(sent_to_ == own)) return;
    if (sent_to_) sent_to_->forget();
    sent_to_ = own;
    if (own) own->keep();
  }

  detail::cross_loop_wait record_;
  mailbox* sent_to_ = nullptr;
};

}  // namespace baton::BATON_VARIANT::async
#endif
