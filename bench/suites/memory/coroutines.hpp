// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

// Coroutines that work every 10 ms, or every turn. `Which` makes types that share no code, as
// different coroutines of a program.

template <int Which>
struct delaying : baton::coroutine<delaying<Which>, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      work = Which;
      BATON_DELAY_MS(10);
    }
    BATON_END();
  }
};

template <int Which>
struct yielding : baton::coroutine<yielding<Which>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      work = Which;
      BATON_YIELD();
    }
    BATON_END();
  }
};

/// Reads the clock itself, for programs without a scheduler.
template <int Which>
struct looking : baton::coroutine<looking<Which>> {
  baton::tick due;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      work = Which;
      due = baton::port::now() + baton::milliseconds(10);
      BATON_AWAIT(baton::is_due(due, baton::port::now()));
    }
    BATON_END();
  }
};
