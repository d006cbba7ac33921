// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/measure.hpp>
#include <baton/cortex_m/software_interrupt.hpp>
#include <baton/kernel.hpp>

#include "counters.hpp"

// The cases of the benchmark Thread-Metric that the kernel has services for, written from its
// description. In each of them an iteration is what raises one counter, except where an interrupt
// is an iteration.

namespace suite_thread_metric {

namespace kernel = baton::kernel;

using baton::bench::workload;
using kernel::word;

constexpr uint8_t threads = 5;

/// The turns of one task in an interval.
using turns = baton::bench::operations<100>;

/// The measuring task goes on when all others have ended or wait.
constexpr kernel::priority measuring = 0, least_urgent = 1;

constexpr word task_stack_bytes = 512, measuring_stack_bytes = 1024;

BATON_KERNEL_MEMORY static kernel::system<threads + 1, threads + 1, 1> measured_kernel;
BATON_KERNEL_MEMORY static kernel::stack<measuring_stack_bytes> measuring_stack;
BATON_TASK_MEMORY static kernel::stack<task_stack_bytes> stacks[threads];

static volatile uint32_t counters[threads];
static volatile uint32_t interrupts;
static volatile uint8_t wrong;
static volatile uint8_t ended;
static kernel::tid tasks[threads];

inline void begin_case() {
  for (uint8_t i = 0; i < threads; ++i) counters[i] = 0;
  interrupts = wrong = ended = 0;
}

/// Creates task `I`; it runs at once if it is more urgent than its creator.
template <uint8_t I>
inline void begin_task(kernel::priority priority, void (*entry)(void*)) {
  const kernel::created c = kernel::create(kernel::describe(priority, entry, stacks[I], "thread"));
  if (!c) wrong = 1;
  tasks[I] = c.id;
}
template <uint8_t I>
inline void begin_privileged_task(kernel::priority priority, void (*entry)(void*)) {
  const kernel::created c = kernel::create(kernel::describe_privileged(priority, entry, stacks[I], "thread"));
  if (!c) wrong = 1;
  tasks[I] = c.id;
}

inline void expect(bool is_right) {
  if (!is_right) wrong = 1;
}

template <uint8_t I>
BATON_INLINE void raise_counter() {
  counters[I] = counters[I] + 1;
}

/// Runs `turn` so often, and delimits the interval.
template <typename Turn>
BATON_INLINE void run_turns(Turn turn) {
  uint_fast16_t n = turns::count();
  baton::board::meter::start();
  do turn();
  while (--n);
  baton::board::meter::stop();
  ended = 1;
}

/// The end of a case in which `count` counters take part.
inline bool is_right(uint8_t count) {
  return ended && !wrong && counters[0] >= turns::count() && have_advanced_together(counters, count);
}

// ---- cooperative: five tasks of one priority raise their counters and yield in turn

struct cooperative : workload {
  static constexpr bool delimits = true;

  template <uint8_t I>
  static void follow(void*) {
    do {
      raise_counter<I>();
      kernel::yield();
    } while (!ended);
  }
  static void lead(void*) {
    begin_task<1>(least_urgent, &follow<1>);
    begin_task<2>(least_urgent, &follow<2>);
    begin_task<3>(least_urgent, &follow<3>);
    begin_task<4>(least_urgent, &follow<4>);
    raise_counter<0>();
    kernel::yield();  // the others have begun, and are in their first turns
    run_turns([] {
      raise_counter<0>();
      kernel::yield();
    });
  }

  static void prepare() { begin_case(); }
  static void run() { begin_task<0>(least_urgent, &lead); }
  static bool finish() { return is_right(threads); }
};

// ---- preemptive: each of five tasks wakes the next more urgent one, which preempts it, raises its
// counter and waits

struct preemptive : workload {
  static constexpr bool delimits = true;
  static constexpr word resumed = 1;

  template <uint8_t I>
  static BATON_INLINE void resume() {
    expect(kernel::notify(tasks[I], resumed).is_ok());
  }

  /// `More` is the next more urgent task; the most urgent one resumes nobody.
  template <uint8_t I, uint8_t More>
  static void work(void*) {
    for (;;) {
      expect(kernel::wait_notification(resumed).bits == resumed);
      if (More != I) resume<More>();
      raise_counter<I>();
    }
  }
  static void lead(void*) {
    run_turns([] {
      resume<1>();
      raise_counter<0>();
    });
  }

  static void prepare() {
    begin_case();
    begin_task<1>(least_urgent + 1, &work<1, 2>);
    begin_task<2>(least_urgent + 2, &work<2, 3>);
    begin_task<3>(least_urgent + 3, &work<3, 4>);
    begin_task<4>(least_urgent + 4, &work<4, 4>);
  }
  static void run() { begin_task<0>(least_urgent, &lead); }
  static bool finish() {
    for (uint8_t i = 1; i < threads; ++i) expect(kernel::kill(tasks[i]).is_ok());
    return is_right(threads);
  }
};

// ---- interrupt, interrupt_preemption: a task causes an interrupt, whose handler raises an event

constexpr uint8_t event = 0;

/// The task takes the event itself, which the handler has raised when it goes on.
struct interrupt : workload {
  static constexpr bool delimits = true;

  static void work(void*) {
    run_turns([] {
      baton::board::cause_interrupt(baton::board::software_interrupt);
      expect(kernel::wait_interrupt_event(event, baton::duration()).is_ok());
      raise_counter<0>();
    });
  }

  static void prepare() { begin_case(); }
  static void run() { begin_privileged_task<0>(least_urgent, &work); }
  static bool finish() {
    counters[1] = interrupts;
    return is_right(2);
  }
};

/// A more urgent task waits for the event, and preempts.
struct interrupt_preemption : workload {
  static constexpr bool delimits = true;

  static void wait(void*) {
    for (;;) {
      expect(kernel::wait_interrupt_event(event).is_ok());
      raise_counter<1>();
    }
  }
  static void work(void*) {
    run_turns([] {
      baton::board::cause_interrupt(baton::board::software_interrupt);
      raise_counter<0>();
    });
  }

  static void prepare() {
    begin_case();
    begin_task<1>(least_urgent + 1, &wait);
  }
  static void run() { begin_privileged_task<0>(least_urgent, &work); }
  static bool finish() {
    counters[2] = interrupts;
    expect(kernel::kill(tasks[1]).is_ok());
    return is_right(3);
  }
};

// ---- message: 16 bytes go to a more urgent task, which takes them and replies with nothing

struct message : workload {
  static constexpr bool delimits = true;
  static constexpr word words = 4, bytes = words * 4;

  static void receive(void*) {
    uint32_t got[words];
    kernel::received m = kernel::receive(got, bytes);
    for (;;) {
      const uint32_t n = counters[1];
      expect(m.length() == bytes && got[0] == n && got[1] == n + 1 && got[2] == n + 2 && got[3] == n + 3);
      raise_counter<1>();
      m = kernel::reply_receive(m.client, nullptr, 0, got, bytes);
    }
  }
  static void work(void*) {
    run_turns([] {
      const uint32_t n = counters[0];
      const uint32_t sent[words] = {n, n + 1, n + 2, n + 3};
      expect(kernel::send(tasks[1], sent, bytes, nullptr, 0).is_ok());
      raise_counter<0>();
    });
  }

  static void prepare() {
    begin_case();
    begin_task<1>(least_urgent + 1, &receive);
  }
  static void run() { begin_task<0>(least_urgent, &work); }
  static bool finish() {
    expect(kernel::kill(tasks[1]).is_ok());
    return is_right(2);
  }
};

// ---- synchronization: a task takes a notification bit, like a semaphore's unit, and sets it anew

struct synchronization : workload {
  static constexpr bool delimits = true;
  static constexpr word unit = 1;

  static void work(void*) {
    const kernel::tid self = kernel::my_tid();
    expect(kernel::notify(self, unit).is_ok());
    run_turns([self] {
      expect(kernel::wait_notification(unit, baton::duration()).bits == unit);
      expect(kernel::notify(self, unit).is_ok());
      raise_counter<0>();
    });
  }

  static void prepare() { begin_case(); }
  static void run() { begin_task<0>(least_urgent, &work); }
  static bool finish() { return is_right(1); }
};

}  // namespace suite_thread_metric
