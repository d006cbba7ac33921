// SPDX-License-Identifier: MIT
//
// 100,000 interrupts wake two coroutines while others run, sleep, or the device idles. The two
// kinds of interrupts take turns. The distance of the second from the first sweeps cycle by cycle
// over all that the first one causes, so that it comes before every instruction of it. Then there
// is time for everything, and nothing that would wake the device. When the first kind comes again,
// each consumer must have run exactly once: the handler compares.

#include <baton/core.hpp>

#include "stress.hpp"
#include "verdict.hpp"

namespace {

constexpr uint32_t strikes_in_total = 100000;

// The time is longer than everything that one interrupt causes, with the delaying coroutine in
// between.
constexpr uint16_t time_to_handle = 2000;

// At this distance the interrupt is pending when the handler of the one before returns.
constexpr uint16_t shortest_distance = 100;

// The sweep's length is a prime, so that every step reaches each of its values.
constexpr uint16_t swept_cycles = 1399;
constexpr uint16_t sweep_step = 41;

/// Waits for one kind of interrupt, and counts together with its handler.
struct consumer : baton::coroutine<consumer, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(signal.wait());
      seen = static_cast<uint8_t>(seen + 1);
    }
    BATON_END();
  }

  /// Runs in the handler.
  void strike() {
    set = static_cast<uint8_t>(seen + 1);
    signal.set();
  }

  void settle() {
    uint8_t missing = static_cast<uint8_t>(set - seen);
    if (missing & 0x80) {
      ++extra;
    } else if (missing) {
      ++lost;
    }
  }

  baton::isr_signal signal;
  volatile uint8_t set = 0;
  volatile uint8_t seen = 0;
  uint16_t lost = 0;
  uint16_t extra = 0;
};

consumer consumers[2];
uint32_t strikes;
uint16_t sweep;

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
    BATON_DELAY_MS(1);
    report();
    BATON_END();
  }

  BATON_NOINLINE void report() {
    for (consumer& c : consumers) c.settle();
    uint32_t lost = static_cast<uint32_t>(consumers[0].lost) + consumers[1].lost;
    uint32_t extra = static_cast<uint32_t>(consumers[0].extra) + consumers[1].extra;
    verdict::line("interrupts", strikes);
    verdict::line("delays", delays);
    verdict::line("lost wakes", lost);
    verdict::line("extra wakes", extra);
    say_where();
    verdict::give(strikes == strikes_in_total && lost == 0 && extra == 0);
  }

  /// Prints a bit for each word of the program, for phases.py.
  static void say_where() {
    verdict::say("touched ");
    for (uint8_t byte : stress::touched) {
      baton::board::console::put(hex_digit(byte >> 4));
      baton::board::console::put(hex_digit(byte & 15));
    }
    verdict::say("\n");
  }
  static char hex_digit(uint8_t n) { return static_cast<char>(n < 10 ? '0' + n : 'a' + n - 10); }

  uint32_t delays = 0;
};

spinner the_spinner;
sleeper the_sleeper;

}  // namespace

uint16_t stress::distance() {
  if (strikes == strikes_in_total) return 0;
  if (strikes & 1) return time_to_handle;
  sweep = static_cast<uint16_t>(sweep + sweep_step);
  if (sweep >= swept_cycles) {
    sweep = static_cast<uint16_t>(sweep - swept_cycles);
    stress::shifted = !stress::shifted;
  }
  return static_cast<uint16_t>(shortest_distance + sweep);
}

void stress::strike() {
  if (strikes & 1) {
    consumers[1].strike();
  } else {
    for (consumer& c : consumers) c.settle();
    consumers[0].strike();
  }
  ++strikes;
}

int main() {
  baton::board::start();
  consumers[0].start();
  consumers[1].start();
  the_sleeper.start();
  if (BATON_STRESS_SPINS) the_spinner.start();
  stress::begin();
  baton::scheduler::run();
}
