// SPDX-License-Identifier: MIT
//
// Compares the chip's own count of an interval with the runner's: `runner` is counted outside,
// `own` inside, so a correct pair differs by the same few cycles for every interval.
#include <avr/interrupt.h>
#include <baton/avr/timer_meter.hpp>
#include <baton/bench/print.hpp>
#include <baton/board.hpp>

namespace {

using own = baton::board::avr_timer_meter;
using runner = baton::board::avr_marks_meter;
using baton::board::console;

/// Takes a constant and 4 cycles per turn, at any alignment.
__attribute__((noinline)) void turn(uint16_t turns) {
  __asm__ volatile("1: sbiw %0, 1\n\tbrne 1b" : "+w"(turns));
}

/// Takes 3 cycles per turn, so that intervals of every length modulo 8 occur.
__attribute__((noinline)) void short_turn(uint8_t turns) {
  __asm__ volatile("1: dec %0\n\tbrne 1b" : "+r"(turns));
}

void compare(uint16_t turns, uint8_t times) {
  own::settle();
  for (uint8_t i = 0; i < times / 2; ++i) __asm__ volatile("nop");  // another phase of the clock
  runner::start();
  own::start();
  for (uint8_t i = 0; i < times; ++i) turn(turns);
  short_turn(times);
  own::stop();
  runner::stop();
  baton::bench::print<console>("baton-bench/1 runner=#0 iterations=1 own=");
  baton::bench::print_number<console>(own::elapsed_cycles());
  console::put('\n');
}

}  // namespace

int main() {
  baton::board::start();
  own::settle();
  own::start();
  own::stop();
  if (own::elapsed_cycles() != 0) baton::board::finish(1);
  for (uint8_t times = 1; times < 40; ++times) compare(static_cast<uint16_t>(1 + times * 37), times);
  compare(60000, 1);  // 15 ms
  compare(60000, 9);  // 135 ms: the clock wraps four times, and its interrupts are part of the interval
  baton::board::finish(0);
}
