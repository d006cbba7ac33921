// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>

namespace baton {

/// The kernel's time in virtual time: an alarm of its own, and preemption of a task that takes
/// time.
struct fiber_clock {
  /// Raises attention at `due`, by a virtual interrupt. Replaces the earlier alarm; the caller has
  /// seen that a past one is past.
  static void alarm(port::tick due) {
    sim::clock& c = sim::clock::get();
    sim::interrupt& own = port::local<alarm_interrupt>::get().interrupt;
    sim::interrupt** link = &c.interrupts;
    while (*link && *link != &own) link = &(*link)->next;
    if (*link) *link = own.next;
    if (sim::is_reached(due, c.now)) return;
    own.handler = &port::attention::raise;
    sim::at(due, own);
  }

  /// Preempts tasks that take time from here on: `handle_pending` is called at each interrupt and
  /// alarm.
  static void begin(void (*handle_pending)()) {
    port::local<preemption>::get().handle_pending = handle_pending;
    sim::clock::get().take_time = &take_time;
  }
  static void end() { sim::clock::get().take_time = nullptr; }

 private:
  struct alarm_interrupt {
    sim::interrupt interrupt;
  };
  struct preemption {
    void (*handle_pending)();
  };

  /// Takes `ticks` of the caller's time; the time that other tasks take meanwhile is theirs.
  static void take_time(port::tick ticks) {
    sim::clock& c = sim::clock::get();
    for (;;) {
      const port::tick step = until_something_happens(c, ticks);
      sim::advance_to(c.now + step);
      ticks -= step;
      if (c.attention) port::local<preemption>::get().handle_pending();
      if (ticks == 0) return;
    }
  }

  static port::tick until_something_happens(const sim::clock& c, port::tick ticks) {
    if (c.interrupts) ticks = sooner(c, c.interrupts->at, ticks);
    return c.alarm_set ? sooner(c, c.alarm, ticks) : ticks;
  }

  static port::tick sooner(const sim::clock& c, port::tick at, port::tick ticks) {
    if (sim::is_reached(at, c.now)) return 0;
    return at - c.now < ticks ? at - c.now : ticks;
  }
};

}  // namespace baton
