// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <stdint.h>

/// The parts of the floors: the least code that does the same work on the same machine. No wait
/// protocol, no close, no status, no interrupts, no timers, one waiter per place, no checks. Nobody
/// could use it, and nothing can be much faster.
namespace baton {
namespace bench {
namespace minimal {

/// A link, a function and a state of one byte.
struct job {
  using function = uint8_t (*)(job*, uint8_t);

  constexpr explicit job(function run) : body(run) {}

  job* next = nullptr;
  function body;
  uint8_t at = 0;
};

/// A state that a body returns if it has left the ring or has stored its state itself.
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

  /// Runs jobs until none is ready. A body that returns either waits, with its state stored, or has
  /// been pushed.
  BATON_INLINE void run() {
    while (job* j = first) {
      first = j->next;
      j->at = j->body(j, j->at);
    }
  }
};

}  // namespace minimal
}  // namespace bench
}  // namespace baton
