// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/isr_signal.hpp>
#include <baton/core/timer.hpp>

namespace baton {

/// Runs the jobs of this domain: first in, first out, each until it waits, yields or ends.
///
/// Context  one thread, or the main program of a device; not re-entrant.
/// Cost     a switch: bench/suites/auto.cpp. Between jobs it looks at the attention flag, never at a clock.
struct scheduler {
  /// Runs one job, if one is ready. false: none is.
  static BATON_INLINE bool run_one() {
    domain& d = here();
    if (BATON_UNLIKELY(!d.tail || port::attention::raised())) {
      attend();
      if (!d.tail) return false;
    }
    d.running = true;
    switch_to_head(d.tail);
    d.running = false;
    return true;
  }

  /// Runs jobs until none is ready, or `count` of them have run.
  static BATON_INLINE void run_for(uint16_t count) { loop<counted>(counted{count}); }

  /// Runs jobs until none is ready. It does not wait for timers that are not due.
  static BATON_INLINE void run_until_idle() { loop<until_idle>(until_idle{}); }

  /// Runs jobs for ever, sleeping while none is ready; returns after `stop()`, and in virtual time when nothing can
  /// ever become ready.
  static BATON_INLINE void run() { loop<for_ever>(for_ever{}); }

  /// Makes `run()` return before it runs another job.
  static void stop() {
    here().stopping = true;
    port::attention::raise();
  }

 private:
  struct for_ever {
    static constexpr bool sleeps = true;
    BATON_INLINE bool more() { return true; }
  };
  struct until_idle {
    static constexpr bool sleeps = false;
    BATON_INLINE bool more() { return true; }
  };
  struct counted {
    static constexpr bool sleeps = false;
    uint16_t left;
    BATON_INLINE bool more() { return --left != 0; }
  };

  /// One switch. Returns the tail of the ring, null if it ran empty.
  static BATON_INLINE job* switch_to_head(job* tail) {
    job* j = tail->next;
    trace(transition::run, j);
    point next = j->body(j, j->at);
    if (BATON_LIKELY(!(next & parked))) {
      j->at = next;
      here().tail = j;
      return j;
    }
    return here().tail;
  }

  template <typename Policy>
  static BATON_INLINE void loop(Policy policy) {
    domain& d = here();
    d.running = true;
    job* tail = d.tail;
    if (!tail) port::attention::raise();
    do {
      if (BATON_UNLIKELY(port::attention::raised())) {
        tail = Policy::sleeps ? attend_or_sleep() : attend();
        if (!tail) break;
      }
      tail = switch_to_head(tail);
    } while (policy.more());
    d.running = false;
  }

  /// Takes in what interrupts and timers have brought. Lower the flag first: what comes later raises it again.
  static BATON_OUTLINE job* attend() {
    domain& d = here();
    port::attention::lower();
    BATON_COMPILER_BARRIER();
    if (isr_signal::are_used()) isr_signal::deliver_all();
    if (timers::are_used()) timers::expire();
    return d.tail;
  }

  static BATON_OUTLINE job* attend_or_sleep() {
    domain& d = here();
    for (;;) {
      job* tail = attend();
      if (d.stopping) break;
      if (tail) return tail;
      if (!port::idle()) break;
    }
    d.stopping = false;
    return nullptr;
  }
};

}  // namespace baton
