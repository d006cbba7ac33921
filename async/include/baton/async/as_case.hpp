// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/as_task.hpp>
#include <baton/async/select.hpp>
#include <baton/async/taking.hpp>
#include <baton/async/values.hpp>

/// Cases of a select that are no operation of a primitive: with a result of their own, or with a
/// coroutine of their own.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// A case that hears how a select has ended in which it was.
struct told_case {
  using function = void (*)(told_case&, status);
  explicit told_case(function f) noexcept : tell(f) {}
  told_case(const told_case&) = delete;

  function tell;
};

/// The wait of a select for a value that a case has room for.
template <typename T, uint16_t Capacity>
struct receive_into_case {
  static constexpr bool selectable = true;
  static constexpr bool takes = true;
  static constexpr bool may_throw = receive_value<T, Capacity>::may_throw;

  auto receive() const noexcept { return source->receive(*place); }
  bool try_now(waiter& w) const noexcept(!may_throw) { return receive().try_now(w); }
  void suspend(waiter& w) const noexcept { receive().suspend(w); }
  void suspend_watched(waiter& w) const noexcept { receive().suspend_watched(w); }
  static bool withdraw(waiter& w) noexcept { return list_wait::withdraw(w); }

  channel<T, Capacity>* source;
  T* place;
};

/// A delay as a case: it stands in a list of its own, out of which its alarm takes it.
template <typename Limit>
struct sleep_case {
  static constexpr bool selectable = true;

  explicit sleep_case(const sleep_operation<Limit>& o) noexcept : due(o.due), wakeup(*this) {}
  sleep_case(const sleep_case& o) noexcept : due(o.due), wakeup(*this) {}  // before it waits

  bool try_now(waiter&) const noexcept { return false; }
  void suspend_watched(waiter& w) noexcept {
    wait_in(&w, &asleep, wait_list::receivers | wait_list::watched, nullptr);
    due.arm(wakeup);
  }
  static bool withdraw(waiter& w) noexcept { return list_wait::withdraw(w); }

  struct wakeup_alarm : alarm {
    explicit wakeup_alarm(sleep_case& c) noexcept : alarm(&expire), owner(&c) {}
    static point expire(job* j, point) {
      wakeup_alarm* a = static_cast<wakeup_alarm*>(static_cast<alarm*>(j));
      a->leave();
      if (waiter* w = a->owner->asleep.take(wait_list::receivers)) wake(w, static_cast<uint8_t>(status::ok));
      return suspended;
    }
    sleep_case* owner;
  };

  wait_list asleep;
  due_time<Limit> due;
  wakeup_alarm wakeup;
};

/// The state of a case that a child coroutine waits for.
struct child_case {
  child_case() noexcept = default;
  child_case(const child_case&) = delete;

  void end() noexcept {
    is_over = true;
    while (waiter* w = waiting.take(wait_list::receivers)) wake(w, static_cast<uint8_t>(status::ok));
  }

  wait_list waiting;
  bool has_begun = false;
  bool is_over = false;
};

/// Gives the end of an awaitable as a status of the select.
template <typename T>
status status_of(const result<T>& r) noexcept {
  return r.status();
}
inline status status_of(const result<status>& r) noexcept {
  return r ? *r : r.status();
}
template <typename T>
status status_of(const result<result<T>>& r) noexcept {
  return r ? (*r).status() : r.status();
}

/// The wait of a select for the end of a child. The child begins when the select comes to the case.
template <typename Case>
struct child_wait : list_wait {
  child_wait(Case& c, wait_list& l, scope& s) noexcept
      : list_wait{&l, wait_list::receivers, nullptr}, of(&c), all(&s) {}

  bool try_now(waiter& w) const noexcept {
    if (!of->begin_(*all)) return false;
    w.end(status::ok);
    return true;
  }

  Case* of;
  scope* all;
};

}  // namespace detail

/// A case of a select that keeps the value which it has received. See `as_case`.
template <typename T, uint16_t Capacity>
class [[nodiscard]] received_case : detail::told_case {
 public:
  explicit received_case(channel<T, Capacity>& c) noexcept : told_case(&tell_end), source_(&c) {}

  /// True if the last select in which it was has received a value by it.
  bool has_result() const noexcept { return has_result_; }

  /// The value.
  /// Errors   BATON_REQUIRE result_of_open_case: there is none.
  T& result() noexcept {
    BATON_REQUIRE(result_of_open_case, has_result_);
    return room_.place();
  }

  /// For the other parts of async.
  detail::told_case* told_() noexcept { return this; }
  detail::receive_into_case<T, Capacity> wait_() noexcept {
    has_result_ = false;
    return {source_, &room_.place()};
  }

 private:
  static void tell_end(told_case& c, status how) { static_cast<received_case&>(c).has_result_ = how == status::ok; }

  channel<T, Capacity>* source_;
  detail::room_for<T> room_;
  bool has_result_ = false;
};

/// A case of a select that waits in a coroutine of its own, and keeps what `co_await` of the
/// awaitable gave. See `as_case`.
template <typename Awaitable>
class [[nodiscard]] awaited_case {
 public:
  using value_type = detail::awaited_type<Awaitable>;

  explicit awaited_case(Awaitable&& a) : awaitable_(static_cast<Awaitable&&>(a)) {}
  awaited_case(const awaited_case&) = delete;
  /// Before the first select: nothing refers to the case.
  awaited_case(awaited_case&& other) noexcept(noexcept(Awaitable(static_cast<Awaitable&&>(other.awaitable_))))
      : awaitable_(static_cast<Awaitable&&>(other.awaitable_)) {}

  /// True if the awaitable has ended: it has won a select, or has lost one, which waited for its
  /// end.
  bool has_result() const noexcept { return state_.is_over && (outcome_.kept.has_value() || outcome_.thrown); }

  /// Gives the result of `co_await`: a reference, or nothing where the awaitable gives nothing.
  /// Throws what it threw.
  /// Errors   BATON_REQUIRE value_of_open_case: it has not ended.
  decltype(auto) result() {
    outcome_.thrown.rethrow();
    BATON_REQUIRE(value_of_open_case, outcome_.kept.has_value());
    if constexpr (!__is_same(value_type, void)) return *outcome_.kept;
  }

  /// For the other parts of async.
  detail::child_wait<awaited_case> wait_(scope& all) noexcept { return {*this, state_.waiting, all}; }
  void rethrow_() { outcome_.thrown.rethrow(); }
  status status_() const noexcept { return outcome_.thrown ? status::ok : detail::status_of(outcome_.kept); }

 private:
  friend detail::child_wait<awaited_case>;

  /// True if the child has ended.
  bool begin_(scope& all) noexcept {
    if (state_.has_begun) return state_.is_over;
    state_.has_begun = true;
    task<void> child = detail::keep_outcome(detail::move(awaitable_), keeper{this});
    if (child.has_frame()) {
      all.spawn(detail::move(child));
      return false;
    }
    outcome_.kept = status::full;
    state_.end();
    return true;
  }

  /// The owner of the child's outcome.
  struct keeper {
    using value_type = awaited_case::value_type;
    detail::task_outcome<value_type>& outcome() noexcept { return of->outcome_; }
    void end() noexcept { of->state_.end(); }
    awaited_case* of;
  };

  Awaitable awaitable_;
  detail::child_case state_;
  detail::task_outcome<value_type> outcome_;
};

/// Makes a case of a select, with a name, of anything that a coroutine may await. What it gave is
/// kept in the case.
///
///     auto bytes = async::as_case(stream.async_read_some(buffer, use_baton));
///     async::selection s = co_await async::select(bytes, async::sleep_for(1_s));
///     if (bytes.has_result()) use(bytes.result());
///
/// Shape    a receive by value is a wait in the channel's list, with room for the value, and may be
///          used in one select after the other: a receive that has lost has not happened. Anything
///          else is awaited once, by a child coroutine.
/// Context  as `select`.
template <typename T, uint16_t Capacity>
  requires(!detail::room_for<T>::is_landing)
received_case<T, Capacity> as_case(const detail::receive_value<T, Capacity>& r) noexcept {
  return received_case<T, Capacity>(*r.source);
}
template <detail::awaitable Awaitable>
awaited_case<Awaitable> as_case(Awaitable a) {
  return awaited_case<Awaitable>(static_cast<Awaitable&&>(a));
}

}  // namespace baton::BATON_VARIANT::async
