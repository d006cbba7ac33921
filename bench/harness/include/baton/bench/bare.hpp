// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <stdint.h>

/// What the floors are made of: the least that can do the same work on the same machine. No wait protocol, no close, no status,
/// no interrupts, no timers, one waiter at a place, nothing checked; so nobody could use it, and nothing can be faster by much.
namespace baton {
namespace bench {
namespace bare {

/// A link, a function and a state of one byte.
struct job {
  using function = uint8_t (*)(job*, uint8_t);

  constexpr explicit job(function run) : body(run) {}

  job* next = nullptr;
  function body;
  uint8_t at = 0;
};

/// As a state that a body returns: it has left the ring itself, or it has stored its state.
constexpr uint8_t left = 0xff;

/// Runs a ring of jobs that only yield, until one unlinks itself.
inline void run_ring(job* j) {
  do {
    j->at = j->body(j, j->at);
    j = j->next;
  } while (j);
}

/// A first-in-first-out ready queue, for jobs that wait.
struct queue {
  job* first = nullptr;
  job* last = nullptr;

  BATON_INLINE void push(job* j) {
    j->next = nullptr;
    if (first) {
      last->next = j;
    } else {
      first = j;
    }
    last = j;
  }

  /// Runs jobs until none is ready. A body that returns has either stored where it goes on and waits, or been pushed.
  BATON_INLINE void run() {
    while (job* j = first) {
      first = j->next;
      j->at = j->body(j, j->at);
    }
  }
};

}  // namespace bare
}  // namespace bench
}  // namespace baton
