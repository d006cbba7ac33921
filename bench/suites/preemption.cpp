// SPDX-License-Identifier: MIT
//
// From an interrupt to the coroutine that waits for it: in the scheduler of an interrupt, which
// preempts main, and in main's scheduler.
#include <baton/bench/measure.hpp>
#include <baton/core.hpp>
#include <baton/cortex_m/interrupt_scheduler.hpp>
#include <baton/cortex_m/software_interrupt.hpp>

namespace suite_preemption {
namespace {

using baton::bench::measure;
using baton::bench::none;
using baton::bench::workload;
using urgent = baton::interrupt_scheduler<baton::board::software_interrupt>;

constexpr uint8_t device = baton::board::other_software_interrupt;

urgent::signal for_urgent;
baton::isr_signal for_main;
volatile bool is_for_main;
volatile uint8_t interrupts, noticed_at;

/// Ends the interval in which it is woken.
struct urgent_waiter : baton::coroutine<urgent_waiter, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(for_urgent.wait());
      baton::board::meter::stop();
      noticed_at = interrupts;
    }
    BATON_END();
  }
} urgent_waits;

struct main_waiter : baton::coroutine<main_waiter, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(for_main.wait());
      baton::board::meter::stop();
      noticed_at = interrupts;
    }
    BATON_END();
  }
} main_waits;

/// Causes an interrupt in a step of main's.
struct computation : baton::coroutine<computation> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      baton::board::meter::start();
      baton::board::cause_interrupt(device);
      BATON_YIELD();
      BATON_SUSPEND();
    }
    BATON_END();
  }
} computes;

template <bool IsForMain>
struct notice : workload {
  static constexpr bool delimits = true;

  static void prepare() {
    interrupts = noticed_at = 0;
    is_for_main = IsForMain;
    computes.resume();
  }
  static void run() { baton::scheduler::run_until_idle(); }
  static bool finish() { return interrupts == 1 && noticed_at == 1; }
};

#define ROW(name) baton::bench::row(BATON_TEXT("preemption"), BATON_TEXT(name), BATON_TEXT(""), 1)

}  // namespace
}  // namespace suite_preemption

extern "C" __attribute__((used, externally_visible)) void baton_software_handler() {
  suite_preemption::urgent::on_interrupt();
}

extern "C" __attribute__((used, externally_visible)) void baton_other_software_handler() {
  using namespace suite_preemption;
  interrupts = static_cast<uint8_t>(interrupts + 1);
  if (is_for_main) {
    for_main.set();
  } else {
    for_urgent.set();
  }
}

int main() {
  using namespace suite_preemption;
  baton::board::start();
  baton::board::enable_interrupt(device);
  urgent::start(0x80);
  urgent::launch(urgent_waits);
  main_waits.start();
  baton::scheduler::run_until_idle();
  computes.start();
  computes.suspend();
  measure<notice<false>, none, none>(ROW("interrupt_scheduler"));
  measure<notice<true>, none, none>(ROW("main_scheduler"));
  baton::bench::finish();
}
