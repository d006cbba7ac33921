// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/job.hpp>
#include <baton/core/platform.hpp>
#include <baton/core/trace.hpp>
#include <stdint.h>

namespace baton {

/// The state of one scheduler: a program on a device, a thread on a host. 7 bytes on AVR; the timer list and the list of
/// awaited interrupt signals are variables of their own, so that a program without them does not hold their code.
///
/// Shape    the ready queue is a ring; `tail->next` is its head, the job that runs or runs next. While a job runs it
///          stays the head, so a yield only moves `tail`; a wait takes the job out before its link is used again.
///          Attention is raised whenever the ring runs empty: one test a switch covers interrupts, timers and idling.
struct domain {
  job* tail = nullptr;
  uint16_t lost = 0;      // values delivered to a job that went away before it read them
  uint8_t handed = 0;     // direct hand-overs since the queue last had its turn
  bool running = false;   // inside run(): the head of the ring is running
  bool stopping = false;  // stop() was called
};

/// The domain of the code that asks.
BATON_INLINE domain& here() {
  return port::local<domain>::get();
}

/// Values that were handed to a receiver which was destroyed, restarted or abandoned before it read them. Saturates.
BATON_INLINE uint16_t lost_values() {
  return here().lost;
}

namespace ready {

/// Puts a job at the tail. Every wake goes here.
/// Cost     O(1).
BATON_INLINE void push_inline(job* j) {
  domain& d = here();
  trace(transition::ready, j);
  if (job* t = d.tail) {
    j->next = t->next;
    t->next = j;
  } else {
    j->next = j;
  }
  d.tail = j;
}

BATON_OUTLINE inline void push(job* j) {
  push_inline(j);
}

/// Puts a job right behind the head: it runs as soon as the running job waits or yields.
BATON_INLINE void push_next(job* j) {
  domain& d = here();
  trace(transition::ready, j);
  job* t = d.tail;
  if (!t) {
    j->next = j;
    d.tail = j;
    return;
  }
  job* head = t->next;
  j->next = head->next;
  head->next = j;
  if (head == t) d.tail = j;
}

/// Whether `j` is the head of the ring.
BATON_INLINE bool is_head(const job* j) {
  const job* t = here().tail;
  return t && t->next == j;
}

/// Takes the head, `j`, out; its link is then free.
BATON_INLINE void pop_head(job* t, job* j) {
  domain& d = here();
  if (j == t) {
    d.tail = nullptr;
    port::attention::raise();
  } else {
    t->next = j->next;
  }
}

/// Takes any job out of the ring. false: it is not there.
/// Cost     O(jobs ready).
BATON_OUTLINE inline bool remove(job* j) {
  domain& d = here();
  job* t = d.tail;
  if (!t) return false;
  job* before = t;
  while (before->next != j) {
    before = before->next;
    if (before == t) return false;
  }
  if (before == j) {
    d.tail = nullptr;
    port::attention::raise();
  } else {
    before->next = j->next;
    if (t == j) d.tail = before;
  }
  j->next = nullptr;
  return true;
}

/// A running job leaves the ring before it waits. A job that was resumed directly is usually not in it.
BATON_INLINE void leave(job* j) {
  job* t = here().tail;
  if (BATON_LIKELY(t && t->next == j)) {
    pop_head(t, j);
  } else if (BATON_UNLIKELY(j->next != nullptr)) {
    remove(j);
  }
}

}  // namespace ready
}  // namespace baton
