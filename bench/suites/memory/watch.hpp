// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

template <int Which>
struct setting : baton::coroutine<setting<Which>> {
  explicit setting(baton::watch<int>& w) : level(w) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      level.set(work + Which);
      BATON_YIELD();
    }
    BATON_END();
  }

  baton::watch<int>& level;
};

template <int Which>
struct reading : baton::coroutine<reading<Which>, baton::waiting> {
  explicit reading(baton::watch<int>& w) : level(w) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(level.changed(seen));
      work = level.read(seen) + Which;
    }
    BATON_END();
  }

  baton::watch<int>& level;
  baton::watch_reader seen;
};

template <int Which>
struct pair {
  baton::watch<int> level;
  setting<Which> a{level};
  reading<Which> b{level};

  void start() {
    a.start();
    b.start();
  }
};
