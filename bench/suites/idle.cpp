// SPDX-License-Identifier: MIT
//
// The cost that waiting coroutines add to a round of two running ones: none, unless they poll.
// bench/suites/README.md describes the cases.
#include <baton/bench/begin.hpp>
#include <baton/bench/measure.hpp>
#include <baton/core.hpp>

namespace suite_idle {
namespace {

using baton::point;
using baton::scheduler;
using baton::bench::begin;
using baton::bench::measure;

using rounds = baton::bench::operations<500>;

volatile uint32_t counter;

// ---- The round: two coroutines alternate and count, as in the suite auto

struct counting : baton::coroutine<counting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      counter = counter + 1;
      BATON_YIELD();
    }
    BATON_END();
  }
};

/// Its first step begins the interval and its last one ends it, so exactly whole rounds are in the
/// interval.
struct delimiting : baton::coroutine<delimiting> {
  point step(point at) {
    BATON_BEGIN();
    baton::board::meter::start();
    while (counter < 2 * rounds::count()) {
      counter = counter + 1;
      BATON_YIELD();
    }
    baton::board::meter::stop();
    scheduler::stop();
    BATON_END();
  }
};

// ---- The idlers

/// Sleeps far beyond the interval.
struct delaying : baton::coroutine<delaying, baton::timed> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) BATON_DELAY_S(1000);
    BATON_END();
  }
};

/// Waits for a message that is never sent.
struct awaiting : baton::coroutine<awaiting, baton::waiting> {
  static baton::channel<uint32_t> silent;
  uint32_t value;

  point step(point at) {
    BATON_BEGIN();
    for (;;) BATON_WAIT(silent.receive(value));
    BATON_END();
  }
};
baton::channel<uint32_t> awaiting::silent;

struct suspended : baton::coroutine<suspended> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) BATON_SUSPEND();
    BATON_END();
  }
};

/// Tests a variable that is never set, at each of its turns: the cost of waiting without a wake-up.
struct polling : baton::coroutine<polling> {
  static volatile bool never;

  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_AWAIT(never);
    }
    BATON_END();
  }
};
volatile bool polling::never;

// ---- A round of the two, while `n` of a kind idle

constexpr uint16_t most_idle = baton::board::meter::always_counts ? 8 : 1000;

delimiting delimiter;
counting counts;

/// The round alone, which is subtracted.
struct round_alone : baton::bench::workload {
  static constexpr bool delimits = true;

  static void prepare() {
    counter = 0;
    begin(delimiter);
    begin(counts);
  }
  static void run() { scheduler::run(); }
  static bool finish() {
    counts.suspend();
    return counter == 2 * rounds::count();
  }
};

template <typename Idler>
struct round_with : round_alone {
  static Idler idlers[most_idle];
  static uint16_t n;

  /// Runs each idler once, up to the point where it idles.
  static void prepare() {
    for (uint16_t i = 0; i < n; ++i) {
      begin(idlers[i]);
      scheduler::run_one();
    }
    round_alone::prepare();
  }
  static bool finish() {
    bool right = round_alone::finish();
    for (uint16_t i = 0; i < n; ++i) idlers[i].suspend();
    return right;
  }
};
template <typename Idler>
Idler round_with<Idler>::idlers[most_idle];
template <typename Idler>
uint16_t round_with<Idler>::n;

// ---- The list

template <typename Idler>
void measure_with(uint16_t n, baton::port::text kind, baton::port::text params) {
  if (n > most_idle) return;
  round_with<Idler>::n = n;
  baton::bench::row r(BATON_TEXT("idle"), kind, params, rounds::count());
  measure<round_with<Idler>, round_alone, round_alone>(r);
}

template <typename Idler>
void measure_kind(baton::port::text kind) {
  measure_with<Idler>(0, kind, BATON_TEXT("n=0"));
  measure_with<Idler>(1, kind, BATON_TEXT("n=1"));
  measure_with<Idler>(2, kind, BATON_TEXT("n=2"));
  measure_with<Idler>(4, kind, BATON_TEXT("n=4"));
  measure_with<Idler>(8, kind, BATON_TEXT("n=8"));
  measure_with<Idler>(64, kind, BATON_TEXT("n=64"));
  measure_with<Idler>(1000, kind, BATON_TEXT("n=1000"));
}

}  // namespace
}  // namespace suite_idle

int main() {
  using namespace suite_idle;
  baton::board::start();
  measure_kind<polling>(BATON_TEXT("polling"));
  measure_kind<awaiting>(BATON_TEXT("awaiting"));
  measure_kind<suspended>(BATON_TEXT("suspended"));
  measure_kind<delaying>(BATON_TEXT("delaying"));
  baton::bench::finish();
}
