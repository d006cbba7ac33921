// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/ticks.hpp>

namespace baton {

/// The due time of a job that can be in the timer list. It lies directly before the job, so that a
/// job of any base has it at the same place and a job without it pays nothing.
struct due_part {
  tick due = 0;
};

namespace timers {

/// The armed job of this domain that is due first. The list is in the order of due times; its last
/// job has a null link, as a job in no list has.
BATON_INLINE job*& first() {
  return domain::variable<struct first_name, job*>::get();
}

/// The due time of a job whose type derives from `due_part` and then, directly, from `job`.
BATON_INLINE tick& due_of(job* j) {
  static_assert(sizeof(tick) % alignof(job) == 0 || alignof(job) == 1, "a job must follow its due time without a gap");
  return *reinterpret_cast<tick*>(reinterpret_cast<char*>(j) - sizeof(tick));
}

/// True once this program has armed a timer. Nobody takes the address of this variable: where
/// nothing arms, link-time optimization finds it constant and drops the timer list from the
/// program.
BATON_INLINE bool& are_used() {
  return domain::variable<struct used_name, bool>::get();
}

/// `job::at` of a job whose body the timer list calls when it is due, in place of the ready queue:
/// the timer of a deadline. It is never a label of a body.
constexpr point called_when_due = 0x7d;

/// True once this program has armed such a timer. Nobody takes the address of this variable.
BATON_INLINE bool& deadlines_are_used() {
  return domain::variable<struct deadlines_used_name, bool>::get();
}

/// Puts a job that is in no list into the timer list; it becomes ready at `due`.
/// Context  a job, or between jobs. Jobs with equal due times become ready in the order of arming.
///          The scheduler sets the alarm.
/// Cost     O(timers before it).
BATON_NOINLINE inline void arm(job* j, tick due) {
  are_used() = true;
  due_of(j) = due;
  ++due;  // "not later than due" becomes "earlier than due + 1": the sign of one difference
  job** link = &first();
  job* behind;
  while ((behind = *link) != nullptr && static_cast<tick_difference>(due_of(behind) - due) < 0) link = &behind->next;
  j->next = behind;
  *link = j;
  if (link == &first()) port::attention::raise();
}

/// Takes a job out of the timer list. false: it is not in the list (it has expired, or was never
/// armed).
/// Cost     O(timers before it).
BATON_NOINLINE inline bool remove(job* j) {
  for (job** link = &first(); *link; link = &(*link)->next) {
    if (*link != j) continue;
    *link = j->next;
    j->next = nullptr;
    return true;
  }
  return false;
}

/// True if a job is in the timer list.
inline bool contains(const job* j) {
  for (const job* i = first(); i; i = i->next) {
    if (i == j) return true;
  }
  return false;
}

/// Sets the alarm, and tells whether `due` has come. The `alarm` of some ports has read the clock
/// and tells it.
template <typename Port>
BATON_INLINE bool alarm_or_due(const tick& due, int, decltype(Port::alarm_tells)* = nullptr) {
  return Port::alarm(due);
}
template <typename Port>
BATON_INLINE bool alarm_or_due(tick due, long) {
  Port::alarm(due);
  return is_due(due, Port::now());
}

/// Moves the jobs that are due to the ready queue; a deadline is decided at once. The alarm is set
/// before the clock is read, so one or the other notices a due time that passes in between.
/// Context  the scheduler, when attention was raised.
BATON_INLINE void expire() {
  while (job* j = first()) {
    if (!alarm_or_due<port>(due_of(j), 0)) return;
    first() = j->next;
    if (deadlines_are_used() && j->at == called_when_due) {
      j->next = nullptr;
      j->body(j, 0);
    } else {
      ready::push(j);
    }
  }
}

}  // namespace timers
}  // namespace baton
