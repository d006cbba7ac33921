// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/job.hpp>

// The macros of a stackless coroutine's body. Each wait point is a `case` of one switch that
// BATON_BEGIN opens, so:
//  - A variable that must live across a wait point is a member. A local variable with an
//    initializer does not compile across one. A local variable without is garbage after it, and
//    compilers warn only sometimes.
//  - A wait point inside a `switch` of the body's own does not compile: write `if`, or move the
//    switch to a function.
//  - No wait point may be inside a `try` block.
//  - A body has at most 120 wait points. Two may stand in one line.

/// Opens the body. The parameter of `step` must be called `at`.
#define BATON_BEGIN() BATON_DETAIL_BEGIN(__COUNTER__)

/// Closes the body: the coroutine ends, and stays ended until `restart()`.
#define BATON_END() BATON_DETAIL_END(__COUNTER__)

/// Lets the other ready jobs run, then goes on.
#define BATON_YIELD() BATON_DETAIL_YIELD(__COUNTER__)

/// Polls `condition`, at once and then once per round, and goes on when it is true. Use it for
/// conditions that no primitive signals.
#define BATON_AWAIT(condition) BATON_DETAIL_AWAIT(__COUNTER__, condition)

/// Suspends the coroutine until the operation of a primitive has ended:
/// `BATON_WAIT(channel.receive(value_))`. Then `result()` says how the wait ended.
#define BATON_WAIT(...) BATON_DETAIL_WAIT(__COUNTER__, __VA_ARGS__)

/// As BATON_WAIT, no longer than `limit`, a duration (`5_ms`, `baton::milliseconds(n)`): then
/// `result()` is `timed_out`. With `forever` there is no limit; a `time_limit` is a duration or
/// `forever`. Base: `deadline`.
#define BATON_WAIT_FOR(limit, ...) BATON_DETAIL_WAIT_TIMED(__COUNTER__, wait_for_, limit, __VA_ARGS__)

/// As BATON_WAIT, until the clock shows `due` at the latest.
#define BATON_WAIT_UNTIL(due, ...) BATON_DETAIL_WAIT_TIMED(__COUNTER__, wait_until_, due, __VA_ARGS__)

/// Waits for the first of several operations; `selected()` is its index. Base: `selecting<N>`.
#define BATON_SELECT(...) BATON_DETAIL_WAIT(__COUNTER__, this->any_of_(__VA_ARGS__))

/// As BATON_SELECT, no longer than `limit`. Base: `selecting<N, deadline>`.
#define BATON_SELECT_FOR(limit, ...) BATON_DETAIL_WAIT_TIMED(__COUNTER__, wait_for_, limit, this->any_of_(__VA_ARGS__))

/// Sleeps for a duration. Bases: `timed`, `long_timed`, `timed_waiting`, `deadline`. A constant
/// beyond the clock's range does not compile. The forms with a unit take a count; with `long_timed`
/// they take any.
#define BATON_DELAY(length) BATON_DETAIL_SLEEP(__COUNTER__, sleep_for_(length))
#define BATON_DELAY_US(count) \
  BATON_DETAIL_SLEEP(__COUNTER__, template delay_<1000000>(::baton::detail::count_of(count)))
#define BATON_DELAY_MS(count) BATON_DETAIL_SLEEP(__COUNTER__, template delay_<1000>(::baton::detail::count_of(count)))
#define BATON_DELAY_S(count) BATON_DETAIL_SLEEP(__COUNTER__, template delay_<1>(::baton::detail::count_of(count)))

/// Sleeps until the clock shows `due`. If `due` is past, the other ready jobs run first.
#define BATON_DELAY_UNTIL(due) BATON_DETAIL_SLEEP(__COUNTER__, sleep_until_(due))

/// Periodic waits. After BATON_PERIOD_START(), each BATON_PERIOD(10_ms, baton::catch_up::skip)
/// sleeps until 10 ms after the last due time, so that nothing drifts. The policy decides about
/// periods that were missed. Base: `periodic<>`.
#define BATON_PERIOD_START() this->start_period_()
#define BATON_PERIOD(length, policy) BATON_DETAIL_SLEEP(__COUNTER__, sleep_period_(length, policy))
#define BATON_PERIOD_US(count, policy) \
  BATON_DETAIL_SLEEP(__COUNTER__, template period_<1000000>(::baton::detail::count_of(count), policy))
#define BATON_PERIOD_MS(count, policy) \
  BATON_DETAIL_SLEEP(__COUNTER__, template period_<1000>(::baton::detail::count_of(count), policy))
#define BATON_PERIOD_S(count, policy) \
  BATON_DETAIL_SLEEP(__COUNTER__, template period_<1>(::baton::detail::count_of(count), policy))

/// Suspends the coroutine until another job calls `resume()`.
#define BATON_SUSPEND() BATON_DETAIL_SUSPEND(__COUNTER__)

/// Ends the body with a value. Base: `returning<T>`.
#define BATON_RETURN(result) \
  do {                       \
    this->value_ = (result); \
    return this->end_();     \
  } while (0)

/// Starts the body over, after the other ready jobs.
#define BATON_RESTART() return 0

// The implementation. The cases stand where they would in a body.
// clang-format off

namespace baton {
namespace detail {

/// A label, as the type of the body's switch. A case of this type does not fit into a switch of the
/// body's own over anything else, so a wait point inside one does not compile. Every value has a
/// name because GCC 5 warns of a case that has none.
#define BATON_DETAIL_NAMES(n) n##0, n##1, n##2, n##3, n##4, n##5, n##6, n##7, n##8, n##9, n##a, n##b, n##c, n##d, n##e, n##f
enum class wait_point : uint8_t {
  BATON_DETAIL_NAMES(at_0), BATON_DETAIL_NAMES(at_1), BATON_DETAIL_NAMES(at_2), BATON_DETAIL_NAMES(at_3),
  BATON_DETAIL_NAMES(at_4), BATON_DETAIL_NAMES(at_5), BATON_DETAIL_NAMES(at_6), BATON_DETAIL_NAMES(at_7),
  BATON_DETAIL_NAMES(at_8), BATON_DETAIL_NAMES(at_9), BATON_DETAIL_NAMES(at_a), BATON_DETAIL_NAMES(at_b),
  BATON_DETAIL_NAMES(at_c), BATON_DETAIL_NAMES(at_d), BATON_DETAIL_NAMES(at_e), BATON_DETAIL_NAMES(at_f)
};
#undef BATON_DETAIL_NAMES

}  // namespace detail
}  // namespace baton

#define BATON_DETAIL_CASE(label) case static_cast<::baton::detail::wait_point>(label)
#define BATON_DETAIL_LABEL(n) static_cast<::baton::point>((n)-this_body_needs_BATON_BEGIN)
#define BATON_DETAIL_SUSPENDED(n) static_cast<::baton::point>(::baton::suspended | ((n)-this_body_needs_BATON_BEGIN))

// The default comes first: a jump over a variable would make the compiler forget a default behind
// it, and warn of each label that the body does not have.
#define BATON_DETAIL_BEGIN(n)                              \
  enum { this_body_needs_BATON_BEGIN = (n) };              \
  switch (static_cast<::baton::detail::wait_point>(at)) {  \
    default:                                               \
      ::baton::detail::no_such_label();                    \
      break;                                               \
    BATON_DETAIL_CASE(0):

#define BATON_DETAIL_END(n)                                                 \
  }                                                                         \
  static_assert((n)-this_body_needs_BATON_BEGIN <= 121,                     \
                "a coroutine has at most 120 wait points: split the body"); \
  return this->end_()

#define BATON_DETAIL_YIELD(n)                   \
  do {                                          \
    return BATON_DETAIL_LABEL(n);               \
    BATON_DETAIL_CASE(BATON_DETAIL_LABEL(n)):;  \
  } while (0)

#define BATON_DETAIL_AWAIT(n, condition)             \
  do {                                               \
    if (0) {                                         \
      BATON_DETAIL_CASE(BATON_DETAIL_LABEL(n)):;     \
    }                                                \
    if (!(condition)) return BATON_DETAIL_LABEL(n);  \
  } while (0)

#define BATON_DETAIL_WAIT(n, ...)                            \
  do {                                                       \
    if (this->wait_(BATON_DETAIL_SUSPENDED(n), __VA_ARGS__)) {  \
      return ::baton::suspended;                                \
      BATON_DETAIL_CASE(BATON_DETAIL_SUSPENDED(n)):;            \
    }                                                        \
  } while (0)

#define BATON_DETAIL_WAIT_TIMED(n, how, when, ...)               \
  do {                                                           \
    if (this->how(BATON_DETAIL_SUSPENDED(n), when, __VA_ARGS__)) {  \
      return ::baton::suspended;                                    \
      BATON_DETAIL_CASE(BATON_DETAIL_SUSPENDED(n)):;                \
      this->disarm_();                                           \
    }                                                            \
  } while (0)

#define BATON_DETAIL_SLEEP(n, how)                        \
  do {                                                    \
    this->at = BATON_DETAIL_SUSPENDED(n);                    \
    this->how;                                            \
    return ::baton::suspended;                               \
    BATON_DETAIL_CASE(BATON_DETAIL_SUSPENDED(n)):            \
      if (this->sleeps_again_()) return ::baton::suspended;  \
  } while (0)

#define BATON_DETAIL_SUSPEND(n)                  \
  do {                                           \
    this->at = BATON_DETAIL_SUSPENDED(n);           \
    this->suspend_self_();                       \
    return ::baton::suspended;                      \
    BATON_DETAIL_CASE(BATON_DETAIL_SUSPENDED(n)):;  \
  } while (0)
// clang-format on
