// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

/// Holds the mutex across a yield. `Which` makes types that share no code, as different coroutines
/// of a program.
template <int Which>
struct holding : baton::coroutine<holding<Which>, baton::waiting> {
  explicit holding(baton::mutex& m) : bus(m) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(bus.lock(lock));
      work = Which;
      BATON_YIELD();
      lock.unlock();
    }
    BATON_END();
  }

  baton::mutex& bus;
  baton::mutex_lock lock;
};

template <int Which>
struct pair {
  baton::mutex bus;
  holding<2 * Which> a{bus};
  holding<2 * Which + 1> b{bus};

  void start() {
    a.start();
    b.start();
  }
};
