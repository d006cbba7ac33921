// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/job.hpp>
#include <baton/core/lifetime.hpp>
#include <baton/core/platform.hpp>
#include <baton/core/require.hpp>
#include <baton/core/trace.hpp>
#include <stdint.h>

/// The state of one scheduler: one per program on a device, one per thread on a host.
///
/// Each variable stands alone. So link-time optimization drops the variables that a program never
/// sets or never reads, and the code behind them: a program that never stops its scheduler does not
/// test for it.
namespace baton {
namespace domain {

template <typename Name, typename T>
struct variable {
  struct holder {
    T value;
  };
  static BATON_INLINE T& get() { return port::local<holder>::get().value; }
};

/// The tail of the ready queue. The queue is a ring; `tail()->next` is its head, the job that runs
/// or runs next. While a job runs it stays the head, so a yield only moves the tail; a wait takes
/// the job out before its link is used again. Attention is raised whenever the ring runs empty: one
/// test per switch covers interrupts, timers and idling.
BATON_INLINE job*& tail() {
  return variable<struct tail_name, job*>::get();
}

/// True inside run(): the head of the ring is running.
BATON_INLINE bool& running() {
  return variable<struct running_name, bool>::get();
}

/// The number of calls of stop(), modulo 256.
BATON_INLINE uint8_t& stops() {
  return variable<struct stops_name, uint8_t>::get();
}

/// True once a job that is not the head of the ring has waited in this program: a job that was
/// resumed directly, or a case of a select. Nobody takes the address of this variable: where
/// nothing sets it, link-time optimization finds it constant, and a wait does not look for the
/// place of its job.
BATON_INLINE bool& has_strays() {
  return variable<struct has_strays_name, bool>::get();
}

/// Direct hand-overs since the last one that went through the queue.
BATON_INLINE uint8_t& consecutive_handoffs() {
  return variable<struct consecutive_handoffs_name, uint8_t>::get();
}

/// See `dropped_values()`.
BATON_INLINE uint16_t& dropped_values() {
  return variable<struct dropped_values_name, uint16_t>::get();
}

}  // namespace domain

/// The number of values that were handed to a receiver of this domain which was destroyed or
/// restarted before it read them. Saturates.
BATON_INLINE uint16_t dropped_values() {
  return domain::dropped_values();
}

namespace ready {

/// Puts a job at the tail. Every wake goes here. `by_head`: unless the program has strays, the head
/// of the ring does it, so the ring is not empty.
/// Cost     O(1).
BATON_INLINE void push_inline(job* j, bool by_head = false) {
  trace(transition::ready, j);
  job* t = domain::tail();
  // The job follows itself in a ring that was empty. Processors with wider pointers have a
  // conditional move for it, which takes less than a test of the mark.
  if (!t && (!by_head || sizeof(void*) != 2 || domain::has_strays())) t = j;
  j->next = t->next;
  t->next = j;
  domain::tail() = j;
}

BATON_NOINLINE inline void push(job* j) {
  push_inline(j);
}

/// Puts a job directly behind the head: it runs as soon as the running job waits or yields.
BATON_INLINE void push_next(job* j) {
  trace(transition::ready, j);
  job* t = domain::tail();
  if (!t) {
    j->next = j;
    domain::tail() = j;
    return;
  }
  job* head = t->next;
  j->next = head->next;
  head->next = j;
  if (head == t) domain::tail() = j;
}

/// True if `j` is the head of the ring whose tail is `t`.
/// Source   where a null pointer can be read, no job has the address found there, so the test for
///          null is saved.
BATON_INLINE bool follows(const job* t, const job* j) {
  return (port::null_is_readable || t) && t->next == j;
}

/// True if `j` is the head of the ring.
BATON_INLINE bool is_head(const job* j) {
  return follows(domain::tail(), j);
}

/// Makes `j` ready for the first time. false: it has been started before.
BATON_NOINLINE inline bool launch(job* j, job::function body) {
  if (j->body) return false;
  j->body = body;
  push(j);
  return true;
}

/// Takes the head `j` out of the ring; its link is then free.
BATON_INLINE void pop_head(job* t, job* j) {
  if (j == t) {
    domain::tail() = nullptr;
    port::attention::raise();
  } else {
    t->next = j->next;
  }
}

/// Takes any job out of the ring. false: it is not there.
/// Cost     O(jobs ready).
BATON_NOINLINE inline bool remove(job* j) {
  job* t = domain::tail();
  if (!t || !j->next) return false;
  job* before = t;
  while (before->next != j) {
    before = before->next;
    if (before == t) return false;
  }
  if (before == j) {
    domain::tail() = nullptr;
    port::attention::raise();
  } else {
    before->next = j->next;
    if (t == j) domain::tail() = before;
  }
  j->next = nullptr;
  return true;
}

/// Takes a running job out of the ring. A job that was resumed directly is not in it.
/// Errors   BATON_REQUIRE direct_resume_of_ready_job: a job that waits in the ready queue was
///          resumed directly, and its step waits.
BATON_INLINE void leave_if_inside(job* j) {
  job* t = domain::tail();
  if (BATON_LIKELY(follows(t, j))) {
    pop_head(t, j);
  } else {
    BATON_REQUIRE(direct_resume_of_ready_job, !j->next);
  }
}

/// Takes a running job out of the ring before it waits. Unless this program has strays, it is the
/// head.
BATON_INLINE void leave(job* j) {
  if (domain::has_strays()) return leave_if_inside(j);
  pop_head(domain::tail(), j);
}

}  // namespace ready
}  // namespace baton
