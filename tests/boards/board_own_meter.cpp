// SPDX-License-Identifier: MIT
//
// Compares the meter of a real board with the runner's count: `runner` is counted outside, `own`
// inside.
#include <baton/bench/print.hpp>
#include <baton/board.hpp>
#include <baton/board_meter.hpp>
#include BATON_OWN_HEADER

namespace {

using own = baton::board::BATON_OWN_METER;
using runner = baton::board::meter;
using baton::board::console;

#ifndef BATON_MUTANT
#define BATON_MUTANT 0
#endif

uint32_t own_cycles() {
  const uint32_t cycles = own::elapsed_cycles();
  return BATON_MUTANT ? cycles + cycles / 16 : cycles;
}

void compare(uint32_t turns) {
  own::settle();
  runner::start();
  own::start();
  for (volatile uint32_t left = turns; left; left = left - 1) {
  }
  own::stop();
  runner::stop();
  baton::bench::print<console>("baton-bench/1 runner=#0 iterations=1 own=");
  baton::bench::print_number<console>(own_cycles());
  console::put('\n');
}

}  // namespace

int main() {
  baton::board::start();
  for (uint32_t turns = 0; turns < 20; ++turns) compare(turns * turns * 200);
  compare(1250000);  // SysTick's period ends in this interval
  baton::board::finish(0);
}
