// SPDX-License-Identifier: MIT
//
// Delays in both domains share the clock: neither replaces the other's alarm, and a delay of the
// interrupt scheduler ends in the midst of a long computation of main.
#include <baton/board.hpp>
#include <baton/core.hpp>
#include <baton/cortex_m/interrupt_scheduler.hpp>
#include <baton/cortex_m/software_interrupt.hpp>

#include "../interrupts/verdict.hpp"

namespace {

using baton::tick;
using urgent = baton::interrupt_scheduler<baton::board::software_interrupt>;

/// The most that a delay may take beyond its length, in microseconds.
constexpr tick tolerance = 60;
constexpr uint8_t delays = 200;

volatile uint32_t early, late;

void check(tick begin, tick length, tick most) {
  const tick took = baton::port::now() - begin;
  if (took < length) early = early + 1;
  if (took > length + most) late = late + 1;
}

volatile uint32_t urgent_delays;

/// Delays that end before, with and after those of main.
struct urgent_sleeper : baton::coroutine<urgent_sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      length_ = 100 + urgent_delays * 37 % 400;
      begin_ = baton::port::now();
      BATON_DELAY_US(length_);
      check(begin_, length_, tolerance);
      urgent_delays = urgent_delays + 1;
    }
    BATON_END();
  }
  tick begin_ = 0, length_ = 0;
} urgent_sleeps;

uint32_t delays_of_main;
uint32_t seen_in_computation;

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (delays_of_main < delays) {
      length_ = 150 + delays_of_main * 53 % 300;
      begin_ = baton::port::now();
      BATON_DELAY_US(length_);
      check(begin_, length_, 2 * tolerance);
      ++delays_of_main;
    }
    compute();
    end();
    BATON_END();
  }

  /// Never gives the processor to another coroutine of main.
  static void compute() {
    const uint32_t before = urgent_delays;
    const tick due = baton::port::now() + 10000;
    while (static_cast<baton::tick_difference>(due - baton::port::now()) > 0) {
    }
    seen_in_computation = urgent_delays - before;
  }

  [[noreturn]] static void end() {
    verdict::line("delays of main", delays_of_main);
    verdict::line("delays of the interrupt scheduler", urgent_delays);
    verdict::line("early", early);
    verdict::line("late", late);
    verdict::line("ended in a computation", seen_in_computation);
    verdict::give(early + late == 0 && delays_of_main == delays && urgent_delays > delays / 2 &&
                  seen_in_computation > 20);
  }
  tick begin_ = 0, length_ = 0;
} sleeps;

}  // namespace

extern "C" __attribute__((used, externally_visible)) void baton_software_handler() {
  urgent::on_interrupt();
}

int main() {
  baton::board::start();
  urgent::start(0xc0);
  urgent::launch(urgent_sleeps);
  sleeps.start();
  baton::scheduler::run();
  verdict::give(false);
}
