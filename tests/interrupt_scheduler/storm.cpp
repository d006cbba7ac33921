// SPDX-License-Identifier: MIT
//
// Preemption at each phase of core's operations: a device's interrupt preempts a coroutine of the
// interrupt scheduler, which preempts the coroutines of main. Nothing is lost: each interrupt is
// counted once in the interrupt scheduler, each of its messages arrives in main, and main's own
// messages and delays end as they do without it.
#include <baton/board.hpp>
#include <baton/core.hpp>
#include <baton/cortex_m/interrupt_scheduler.hpp>
#include <baton/cortex_m/software_interrupt.hpp>

#include "../interrupts/verdict.hpp"

namespace {

using baton::board::cause_interrupt;
using urgent = baton::interrupt_scheduler<baton::board::software_interrupt>;

constexpr uint8_t device = baton::board::other_software_interrupt;
constexpr uint32_t rounds = 2000;

// ---- The device, the most urgent.

urgent::signal struck;
volatile uint32_t strikes;      // written by the device alone
volatile uint32_t second_wave;  // so many of them came while the interrupt scheduler ran

// ---- The coroutines of the interrupt scheduler.

baton::ring<uint32_t, 16> numbers;  // pushed there, popped in main
baton::isr_signal has_numbers;
uint32_t noticed;
uint32_t elsewhere;  // steps that ran in the other domain

/// The number of the running exception; 0 in main.
uint32_t exception() {
  uint32_t number;
  __asm__ volatile("mrs %0, ipsr" : "=r"(number));
  return number;
}
void expect_interrupt() {
  elsewhere += exception() != 16u + baton::board::software_interrupt;
}
void expect_main() {
  elsewhere += exception() != 0;
}
uint32_t refused;
baton::channel<uint32_t, 2> inside;  // from one coroutine of the interrupt scheduler to another
uint32_t passed_on;

/// Notices strikes. Every fourth time it is struck again while it runs.
struct watcher : baton::coroutine<watcher, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(struck.wait());
      expect_interrupt();
      if (++turns_ % 4 == 0) {
        second_wave = second_wave + 1;
        cause_interrupt(device);
      }
      while (noticed != strikes) {
        ++noticed;
        BATON_WAIT(inside.send(noticed));
      }
    }
    BATON_END();
  }
  uint32_t turns_ = 0;
} watches;

/// Sends the numbers on to main.
struct forwarder : baton::coroutine<forwarder, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(inside.receive(number_));
      expect_interrupt();
      if (numbers.push(number_) != baton::status::ok) ++refused;
      ++passed_on;
      has_numbers.set();
    }
    BATON_END();
  }
  uint32_t number_ = 0;
} forwards;

/// Wakes by the clock, at phases of its own.
uint32_t beats;
struct beater : baton::coroutine<beater, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_US(37);
      expect_interrupt();
      ++beats;
    }
    BATON_END();
  }
} beats_time;

// ---- The coroutines of main.

uint32_t arrived;
uint32_t out_of_order;

struct collector : baton::coroutine<collector, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(has_numbers.wait());
      expect_main();
      while (pop()) {
        ++arrived;
        out_of_order += number_ != arrived;
      }
    }
    BATON_END();
  }
  bool pop() { return numbers.pop(number_) == baton::status::ok; }
  uint32_t number_ = 0;
} collects;

baton::channel<uint32_t> own;
uint32_t sent, got, wrong_value, slept;

struct receiver : baton::coroutine<receiver, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(own.receive(number_));
      wrong_value += number_ != ++got;
    }
    BATON_END();
  }
  uint32_t number_ = 0;
} receives;

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_US(53);
      expect_main();
      ++slept;
    }
    BATON_END();
  }
} sleeps;

/// Takes a number of instructions that differs from round to round.
__attribute__((noinline)) void pass(uint32_t turns) {
  for (; turns; --turns) __asm__ volatile("nop");
}

struct striker : baton::coroutine<striker, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (round_ < rounds) {
      ++round_;
      strike();
      pass(round_ % 61);
      BATON_WAIT(own.send(++sent));
      strike();
      BATON_YIELD();
      if (round_ % 8 == 0) {
        BATON_WAIT_FOR(baton::microseconds(20), nothing_.wait());  // ends by its deadline
        timeouts_ += result() == baton::status::timed_out;
      }
    }
    BATON_DELAY_MS(2);
    end();
    BATON_END();
  }

  /// The interrupt scheduler has noticed each interrupt when main goes on.
  void strike() {
    cause_interrupt(device);
    late_ += noticed != strikes;
  }

  [[noreturn]] void end() {
    verdict::line("strikes", strikes);
    verdict::line("noticed", noticed);
    verdict::line("passed on", passed_on);
    verdict::line("arrived", arrived);
    verdict::line("refused", refused);
    verdict::line("out of order", out_of_order);
    verdict::line("noticed late", late_);
    verdict::line("steps in the other domain", elsewhere);
    verdict::line("messages of main", got);
    verdict::line("wrong messages", wrong_value);
    verdict::line("deadlines", timeouts_);
    verdict::line("dropped values", baton::dropped_values());
    const bool all_came = strikes == 2 * rounds + second_wave && noticed == strikes && passed_on == strikes &&
                          arrived == strikes && second_wave > rounds / 8;
    const bool none_differs = refused + out_of_order + late_ + elsewhere + wrong_value + baton::dropped_values() == 0;
    verdict::give(all_came && none_differs && sent == rounds && got == rounds && timeouts_ == rounds / 8 &&
                  beats > 100 && slept > 100);
  }

  baton::signal nothing_;
  uint32_t round_ = 0;
  uint32_t timeouts_ = 0;
  uint32_t late_ = 0;
} strikes_all;

}  // namespace

extern "C" __attribute__((used, externally_visible)) void baton_software_handler() {
  urgent::on_interrupt();
}

extern "C" __attribute__((used, externally_visible)) void baton_other_software_handler() {
  strikes = strikes + 1;
  struck.set();
}

int main() {
  baton::board::start();
  baton::board::enable_interrupt(device);
  urgent::start(0x80);
  urgent::launch(watches);
  urgent::launch(forwards);
  urgent::launch(beats_time);
  collects.start();
  receives.start();
  sleeps.start();
  strikes_all.start();
  baton::scheduler::run();
  verdict::give(false);
}
