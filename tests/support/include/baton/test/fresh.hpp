// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

namespace baton {
namespace test {

/// Empties the domain and sets the virtual clock to zero, whatever state the test before has left.
inline void start_fresh() {
  domain::tail() = nullptr;
  domain::running() = false;
  domain::consecutive_handoffs() = 0;
  domain::dropped_values() = 0;
  timers::first() = nullptr;
  listed_coroutines() = nullptr;
  sim::clock& c = sim::clock::get();
  c.now = 0;
  c.alarm = 0;
  c.interrupts = nullptr;
  c.trace = nullptr;
  c.jumps = 0;
  c.alarm_set = false;
  c.attention = false;
}

}  // namespace test
}  // namespace baton
