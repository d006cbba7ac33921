// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/time.hpp>

namespace baton {

/// The due time of a job that can stand in the timer list. It lies directly before the job, so that a job of any base
/// has it at the same place and a job without it pays nothing.
struct due_part {
  tick due = 0;
};

namespace timers {

/// The armed jobs of a domain by due time. The last one links to itself, so that no listed job has a null link.
struct armed_list {
  job* first = nullptr;
};

BATON_INLINE job*& first() {
  return port::local<armed_list>::get().first;
}

/// The due time of a job whose type derives from `due_part` and then, directly, from `job`.
BATON_INLINE tick& due_of(job* j) {
  static_assert(sizeof(tick) % alignof(job) == 0 || alignof(job) == 1, "a job must follow its due time without a gap");
  return *reinterpret_cast<tick*>(reinterpret_cast<char*>(j) - sizeof(tick));
}

/// Whether this program has ever armed a timer. A variable of its own whose address nobody takes: where nothing arms, link-time
/// optimization finds it constant and drops the timer list from the program.
struct used_mark {
  bool used = false;
};

BATON_INLINE bool are_used() {
  return port::local<used_mark>::get().used;
}

/// Puts a job, in no list, into the timer list; it becomes ready at `due`.
/// Context  a job, or between jobs; equal due times become ready in the order of arming.
/// Cost     O(timers before it).
BATON_OUTLINE inline void arm(job* j, tick due) {
  port::local<used_mark>::get().used = true;
  due_of(j) = due;
  job** link = &first();
  job* behind = *link;
  while (behind && is_due(due_of(behind), due)) {
    link = &behind->next;
    behind = *link == behind ? nullptr : *link;
  }
  j->next = behind ? behind : j;
  *link = j;
  if (link == &first()) port::alarm(due);
}

/// Takes a job out of the timer list. false: it is not there (it has expired, or was never armed).
/// Cost     O(timers before it).
BATON_OUTLINE inline bool remove(job* j) {
  job* before = nullptr;
  for (job* i = first(); i; before = i, i = i->next == i ? nullptr : i->next) {
    if (i != j) continue;
    job* behind = j->next == j ? nullptr : j->next;
    if (!before) {
      first() = behind;
    } else {
      before->next = behind ? behind : before;
    }
    j->next = nullptr;
    return true;
  }
  return false;
}

/// Moves the jobs that are due to the ready queue, then sets the alarm for the next one.
/// Context  the scheduler, when attention was raised.
BATON_OUTLINE inline void expire() {
  while (job* j = first()) {
    if (!is_due(due_of(j), port::now())) {
      port::alarm(due_of(j));
      return;
    }
    first() = j->next == j ? nullptr : j->next;
    ready::push(j);
  }
}

}  // namespace timers
}  // namespace baton
