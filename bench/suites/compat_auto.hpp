// SPDX-License-Identifier: MIT
#pragma once

#include <AceRoutine.h>

#include "auto.hpp"

// The suite auto's counting in coroutines of compat/aceroutine, which a loop of the main program
// runs directly or through the scheduler.

namespace suite_auto {

/// The clock of list `Number`, which gives each case a list of its own.
template <int Number>
struct compat_clock : ace_routine::ClockInterface {};

template <int Number>
using compat_list = ace_routine::CoroutineTemplate<compat_clock<Number>, uint16_t>;

#define COMPAT_COUNT() \
  COUNT();             \
  COROUTINE_YIELD()

// NOLINTBEGIN(cppcoreguidelines-virtual-class-destructor): a coroutine is never destroyed
using compat_two = compat_list<2>;
COROUTINE(compat_two, compat_two_a) {
  COROUTINE_LOOP() {
    COMPAT_COUNT();
    COMPAT_COUNT();
  }
}
COROUTINE(compat_two, compat_two_b) {
  COROUTINE_LOOP() {
    COMPAT_COUNT();
    COMPAT_COUNT();
  }
}

using compat_one = compat_list<1>;
COROUTINE(compat_one, compat_one_a) {
  COROUTINE_LOOP() {
    COMPAT_COUNT();
  }
}
COROUTINE(compat_one, compat_one_b) {
  COROUTINE_LOOP() {
    COMPAT_COUNT();
  }
}
// NOLINTEND(cppcoreguidelines-virtual-class-destructor)

struct compat_counted : baton::bench::workload {
  static void prepare() { counter = 0; }
  static bool finish() { return counter == steps::count(); }
};

template <typename A, typename B, A& First, B& Second>
struct compat_direct : compat_counted {
  static BATON_INLINE void run() {
    for (uint32_t i = 0; i < steps::count() / 2; ++i) {
      First.runCoroutine();
      Second.runCoroutine();
    }
  }
};
using compat_direct_two = compat_direct<decltype(compat_two_a), decltype(compat_two_b), compat_two_a, compat_two_b>;
using compat_direct_one = compat_direct<decltype(compat_one_a), decltype(compat_one_b), compat_one_a, compat_one_b>;

template <typename Coroutine>
struct compat_scheduler : compat_counted {
  using scheduler = ace_routine::CoroutineSchedulerTemplate<Coroutine>;

  static void prepare() {
    compat_counted::prepare();
    scheduler::setup();
  }
  static BATON_INLINE void run() {
    for (uint32_t i = 0; i < steps::count(); ++i) scheduler::loop();
  }
};

}  // namespace suite_auto
