// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

// A system with threads has one domain per thread, so that tests can prove that a call from a
// foreign thread is trapped.
#if defined(__unix__)
#include <stdio.h>
#include <stdlib.h>
#define BATON_SIM_LOCAL __thread
#define BATON_SIM_HAS_HEAP true
#else
#define BATON_SIM_LOCAL
#define BATON_SIM_HAS_HEAP false
#if !defined(__AVR__)
extern "C" __attribute__((noreturn)) void baton_halt(uint16_t id);  // the board ends the program
#endif
#endif

namespace baton {

struct job;
enum class transition : uint8_t;

namespace sim {

namespace detail {

template <bool Wide>
struct time_type {
  using type = uint32_t;
  static constexpr uint32_t rate = 250000;
};
template <>
struct time_type<true> {
  using type = uint64_t;
  static constexpr uint32_t rate = 1000000000;
};

template <typename T>
struct global {
  static BATON_SIM_LOCAL T instance;
};
template <typename T>
BATON_SIM_LOCAL T global<T>::instance;

}  // namespace detail

using tick = detail::time_type<sizeof(void*) == 8>::type;
constexpr uint32_t ticks_per_second = detail::time_type<sizeof(void*) == 8>::rate;

constexpr bool has_heap = BATON_SIM_HAS_HEAP;

constexpr bool is_reached(tick due, tick now) {
  return static_cast<tick>(now - due) <= static_cast<tick>(-1) >> 1;
}

/// A virtual interrupt: `handler` runs in interrupt context when the clock reaches `at`. The object
/// must live until then.
struct interrupt {
  tick at;
  void (*handler)();
  interrupt* next;
};

/// The virtual clock, and the interrupts and the alarm that happen on it.
struct clock {
  static clock& get() { return detail::global<clock>::instance; }

  tick now;
  tick alarm;
  interrupt* interrupts;  // ordered by time
  void (*trace)(transition, const job*, const void*);
  void (*take_time)(tick);  // lets a task of a kernel take time; null without a kernel
  uint32_t jumps;           // how often an idle scheduler has moved the clock
  bool alarm_set;
  bool attention;
};

/// Moves the clock to `target`. On the way, it runs the interrupts and raises attention for the
/// alarm.
inline void advance_to(tick target) {
  clock& c = clock::get();
  while (c.interrupts && is_reached(c.interrupts->at, target)) {
    interrupt* i = c.interrupts;
    c.interrupts = i->next;
    if (is_reached(c.now, i->at)) c.now = i->at;
    i->handler();
  }
  c.now = target;
  if (c.alarm_set && is_reached(c.alarm, c.now)) {
    c.alarm_set = false;
    c.attention = true;
  }
}

/// Lets a running job or task, or a test between runs, take `ticks` of time. Time that a kernel's
/// other tasks take when they preempt the caller comes on top.
inline void advance(tick ticks) {
  clock& c = clock::get();
  if (c.take_time) return c.take_time(ticks);
  advance_to(c.now + ticks);
}

/// The same for a duration of core's, which this header does not know.
template <typename Duration>
auto advance(Duration length) -> decltype(advance(length.ticks())) {
  advance(length.ticks());
}

/// Lets an idle scheduler move the clock to the next alarm or interrupt. Returns false if there is
/// none.
inline bool jump() {
  clock& c = clock::get();
  if (!c.alarm_set && !c.interrupts) return false;
  tick target = c.alarm_set ? c.alarm : c.interrupts->at;
  if (c.interrupts && is_reached(c.interrupts->at, target)) target = c.interrupts->at;
  ++c.jumps;
  advance_to(target);
  return true;
}

/// Runs `i.handler` when the clock reaches `at`.
inline void at(tick at, interrupt& i) {
  i.at = at;
  interrupt** link = &clock::get().interrupts;
  while (*link && is_reached((*link)->at, at)) link = &(*link)->next;
  i.next = *link;
  *link = &i;
}

/// The same so long after the clock's zero.
template <typename Duration>
auto at(Duration since_zero, interrupt& i) -> decltype(at(since_zero.ticks(), i)) {
  at(since_zero.ticks(), i);
}

inline uint32_t microseconds_now() {
  return static_cast<uint32_t>(ticks_per_second >= 1000000 ? clock::get().now / (ticks_per_second / 1000000)
                                                           : clock::get().now * (1000000 / ticks_per_second));
}

__attribute__((noreturn)) inline void halt(uint16_t id) {
#if defined(__unix__)
  fprintf(stderr, "baton: requirement %u does not hold; ./baton explain %u\n", id, id);
  abort();
#elif defined(__AVR__)
  static_cast<void>(id);
  *reinterpret_cast<volatile uint8_t*>(0x4b) = 70;  // GPIOR2 of the megaAVR boards holds the exit code for the runner
  for (;;) {
  }
#else
  baton_halt(id);
#endif
}

}  // namespace sim
}  // namespace baton
