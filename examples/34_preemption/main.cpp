// SPDX-License-Identifier: MIT
//
// Two schedulers on one processor. A coroutine of main computes in steps that last for
// milliseconds. A coroutine of the interrupt scheduler counts beats of the clock meanwhile: it
// preempts each step, and sends main the number of beats by a ring and a signal.
#include <baton/board.hpp>
#include <baton/core.hpp>
#include <baton/cortex_m/interrupt_scheduler.hpp>
#include <baton/cortex_m/software_interrupt.hpp>

#include "../support/say.hpp"

using urgent = baton::interrupt_scheduler<baton::board::software_interrupt>;

volatile uint32_t beats;           // written by the interrupt scheduler alone
baton::ring<uint32_t, 8> reports;  // pushed there, popped in main
baton::isr_signal report_came;     // set there, awaited in main
urgent::signal may_report;         // set in main, awaited there

struct beater : baton::coroutine<beater, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_US(500);
      beats = beats + 1;
    }
    BATON_END();
  }
} beats_time;

struct reporter : baton::coroutine<reporter, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(may_report.wait());
      report(beats);
    }
    BATON_END();
  }

  static void report(uint32_t number) {
    if (reports.push(number) == baton::status::ok) report_came.set();
  }
} reports_beats;

struct computation : baton::coroutine<computation, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (++round_ <= 3) {
      before_ = beats;
      compute();
      say("step ", round_, ": ", beats - before_ >= 8 ? "beats went on" : "no beats");
      may_report.set();
      BATON_WAIT(report_came.wait());
      while (reports.pop(reported_) == baton::status::ok)
        say("  reported ", reported_ >= before_ + 8 ? "all" : "too few");
    }
    baton::board::finish(0);
    BATON_END();
  }

  /// Lasts for 5 ms, and gives the processor to no other coroutine of main.
  static void compute() {
    const baton::tick due = baton::port::now() + baton::milliseconds(5);
    while (static_cast<baton::tick_difference>(due - baton::port::now()) > 0) {
    }
  }

  uint8_t round_ = 0;
  uint32_t before_ = 0;
  uint32_t reported_ = 0;
} computes;

extern "C" __attribute__((used, externally_visible)) void baton_software_handler() {
  urgent::on_interrupt();
}

int main() {
  baton::board::start();
  urgent::start(0x80);
  urgent::launch(beats_time);
  urgent::launch(reports_beats);
  computes.start();
  baton::scheduler::run();
}
