// SPDX-License-Identifier: MIT
//
// Tests bursts of interrupts that come faster than they can be handled, at a period that sweeps
// from less than the handler takes to well above all that an interrupt causes. Wakes may then
// merge, but never vanish: after each burst both consumers must have run after the last set, and
// never more often than there were sets.

#include <baton/core.hpp>

#include "stress.hpp"
#include "verdict.hpp"

namespace {

constexpr uint32_t strikes_in_total = 100000;
constexpr uint8_t burst = 16;

// Time for everything that a burst has caused.
constexpr uint16_t pause_cycles = 3500;

// The shortest period is less than the handler's own time. The sweep's length is a prime, so that
// every step reaches each of its values.
constexpr uint16_t shortest_period = 200;
constexpr uint16_t swept_cycles = 907;
constexpr uint16_t sweep_step = 37;

uint32_t strikes;
volatile uint8_t number;
uint16_t sweep;

struct consumer : baton::coroutine<consumer, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(signal.wait());
      seen = number;
      ++runs;
    }
    BATON_END();
  }

  baton::isr_signal signal;
  volatile uint8_t seen = 0;
  uint32_t runs = 0;
  uint16_t lost = 0;
};

consumer consumers[2];

/// Runs after a pause.
void settle() {
  for (consumer& c : consumers) {
    if (c.seen != number) ++c.lost;
  }
}

struct spinner : baton::coroutine<spinner> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) BATON_YIELD();
    BATON_END();
  }
};

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (!stress::over) {
      BATON_DELAY_US(433);
      ++delays;
    }
    report();
    BATON_END();
  }

  BATON_NOINLINE void report() {
    settle();
    uint32_t lost = static_cast<uint32_t>(consumers[0].lost) + consumers[1].lost;
    bool too_many = consumers[0].runs > strikes || consumers[1].runs > strikes;
    verdict::line("interrupts", strikes);
    verdict::line("runs of the first", consumers[0].runs);
    verdict::line("runs of the second", consumers[1].runs);
    verdict::line("delays", delays);
    verdict::line("lost wakes", lost);
    verdict::give(strikes == strikes_in_total && lost == 0 && !too_many);
  }

  uint32_t delays = 0;
};

spinner the_spinner;
sleeper the_sleeper;

}  // namespace

uint16_t stress::distance() {
  if (strikes == strikes_in_total) return 0;
  if (strikes % burst != burst - 1) return static_cast<uint16_t>(shortest_period + sweep);
  sweep = static_cast<uint16_t>(sweep + sweep_step);
  if (sweep >= swept_cycles) {
    sweep = static_cast<uint16_t>(sweep - swept_cycles);
    stress::shifted = !stress::shifted;
  }
  return pause_cycles;
}

void stress::strike() {
  if (strikes % burst == 0) settle();
  ++strikes;
  number = static_cast<uint8_t>(number + 1);
  for (consumer& c : consumers) c.signal.set();
}

int main() {
  baton::board::start();
  for (consumer& c : consumers) c.start();
  the_sleeper.start();
  if (BATON_STRESS_SPINS) the_spinner.start();
  stress::begin();
  baton::scheduler::run();
}
