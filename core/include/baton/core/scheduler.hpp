// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/isr_channel.hpp>
#include <baton/core/isr_signal.hpp>
#include <baton/core/timer.hpp>

namespace baton {

/// Runs the jobs of this domain: first in, first out, each until it waits, yields or ends.
///
/// Context  one thread, or the main program of a device; not re-entrant.
/// Cost     a switch: bench/suites/auto.cpp. Between jobs it looks at the attention flag, never at
///          a clock.
struct scheduler {
  /// Runs one job, if one is ready. false: none is.
  static BATON_INLINE bool run_one() {
    job* tail = domain::tail();
    if (BATON_UNLIKELY(!tail || port::attention::raised())) {
      tail = attend();
      if (!tail) return false;
    }
    const running_mark mark;
    switch_to_head(tail);
    return true;
  }

  /// Runs jobs until none is ready, or `count` of them have run.
  static BATON_INLINE void run_for(uint16_t count) {
    struct counted {
      uint16_t left;
      BATON_INLINE job* next_tail() { return attend(); }
      BATON_INLINE bool more() { return --left != 0; }
    };
    if (count) loop(counted{count});
  }

  /// Runs jobs until none is ready. Does not wait for timers that are not due.
  static BATON_NOINLINE void run_until_idle() {
    struct until_idle {
      BATON_INLINE job* next_tail() { return attend(); }
      BATON_INLINE bool more() { return true; }
    };
    loop(until_idle{});
  }

  /// Runs jobs for ever, sleeping while none is ready; returns after `stop()`, and in virtual time
  /// when nothing can ever become ready.
  static BATON_NOINLINE void run() {
    struct for_ever {
      uint8_t stops;
      BATON_INLINE job* next_tail() {
        for (;;) {
          job* tail = attend();
          if (domain::stops() != stops) return nullptr;
          if (tail) return tail;
          if (!port::idle()) return nullptr;
        }
      }
      BATON_INLINE bool more() { return true; }
    };
    loop(for_ever{domain::stops()});
  }

  /// Makes the running `run()` return before it runs another job.
  static void stop() {
    domain::stops() = static_cast<uint8_t>(domain::stops() + 1);
    port::attention::raise();
  }

 private:
  /// Marks that the scheduler runs, until the end of the block or an exception that a body throws.
  struct running_mark {
    BATON_INLINE running_mark() { domain::running() = true; }
    BATON_INLINE ~running_mark() { domain::running() = false; }
    running_mark(const running_mark&) = delete;
    running_mark& operator=(const running_mark&) = delete;
  };

  /// One switch. Returns the tail of the ring, null if it ran empty.
  static BATON_INLINE job* switch_to_head(job* tail) {
    job* j = tail->next;
    trace(transition::run, j);
    point next = j->body(j, j->at);
    if (BATON_LIKELY(!(next & suspended))) {
      j->at = next;
      domain::tail() = j;
      return j;
    }
    return domain::tail();
  }

  template <typename Policy>
  static BATON_INLINE void loop(Policy policy) {
    const running_mark mark;
    port::attention::raise();  // for interrupts that came while nothing ran
    job* tail = domain::tail();
    do {
      if (BATON_UNLIKELY(port::attention::raised())) {
        tail = policy.next_tail();
        if (!tail) break;
      }
      tail = switch_to_head(tail);
    } while (policy.more());
  }

  /// Wakes the jobs that interrupts and timers have made ready. The flag is lowered first: a later
  /// interrupt raises it again.
  static BATON_INLINE job* attend() {
    port::attention::lower();
    BATON_COMPILER_BARRIER();
    if (isr_signal::are_used()) isr_signal::deliver_all();
    if (isr_channel_base::deliver_by().all) isr_channel_base::deliver_by().all();
    if (timers::are_used()) timers::expire();
    return domain::tail();
  }
};

}  // namespace baton
