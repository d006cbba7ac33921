// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/begin.hpp>
#include <baton/bench/measure.hpp>
#include <baton/bench/minimal.hpp>
#include <baton/core.hpp>

// The counting coroutines of the suite auto, and the minimal prototypes of their floors.

namespace suite_auto {

using baton::point;
namespace minimal = baton::bench::minimal;

/// Two intervals of any case fit between two wraps of a device's clock, so no interrupt is in them.
using steps = baton::bench::operations<4000>;

static volatile uint32_t counter;

// The counting work: one addition to a volatile counter before each yield.
#define COUNT() counter = counter + 1
#define COUNT_YIELD() \
  COUNT();            \
  BATON_YIELD()
#define COUNT_YIELD_2() \
  COUNT_YIELD();        \
  COUNT_YIELD()
#define COUNT_YIELD_8() \
  COUNT_YIELD_2();      \
  COUNT_YIELD_2();      \
  COUNT_YIELD_2();      \
  COUNT_YIELD_2()

/// Makes the code around it differ from that of another `Which`, at no cost: link-time optimization
/// would merge functions that are the same, and a program's coroutines are not. The prototypes have
/// negative values.
template <int Which>
BATON_INLINE void differ() {
  __asm__ volatile("" ::"i"(Which));
}

/// Counts for ever. `Which` makes types that share no code, as different coroutines of a program.
template <uint8_t Yields, char Which>
struct counting;

#define COUNTING(yields, body)                                                 \
  template <char Which>                                                        \
  struct counting<yields, Which> : baton::coroutine<counting<yields, Which>> { \
    point step(point at) {                                                     \
      BATON_BEGIN();                                                           \
      for (;;) {                                                               \
        differ<Which>();                                                       \
        body();                                                                \
      }                                                                        \
      BATON_END();                                                             \
    }                                                                          \
  };
COUNTING(1, COUNT_YIELD)
COUNTING(2, COUNT_YIELD_2)
COUNTING(8, COUNT_YIELD_8)

/// Counts until the counter is full, and then ends the run. The base's loop has the same test.
template <uint8_t Yields>
struct ending;

#define ENDING(yields, body)                                 \
  template <>                                                \
  struct ending<yields> : baton::coroutine<ending<yields>> { \
    point step(point at) {                                   \
      BATON_BEGIN();                                         \
      while (counter < steps::count()) {                     \
        differ<'e'>();                                       \
        body();                                              \
      }                                                      \
      baton::scheduler::stop();                              \
      BATON_END();                                           \
    }                                                        \
  };
ENDING(2, COUNT_YIELD_2)
ENDING(8, COUNT_YIELD_8)

// ---- The counting work alone

/// A loop `while (counter < full) { 2 * yields counts }`: the counting of two coroutines of
/// `Yields` yield points.
template <uint8_t Yields>
struct base_of_run : baton::bench::workload {
  static void prepare() { counter = 0; }
  static BATON_INLINE void run() {
    while (counter < steps::count()) {
      for (uint8_t i = 0; i < 2 * Yields; ++i) COUNT();
    }
  }
  static bool finish() { return counter == steps::count(); }
};

// ---- The minimal prototypes

#define MINIMAL_COUNT_YIELD(n) \
  COUNT();                     \
  return n;                    \
  case n:;
#define MINIMAL_COUNT_YIELD_1() MINIMAL_COUNT_YIELD(1)
#define MINIMAL_COUNT_YIELD_2() MINIMAL_COUNT_YIELD(1) MINIMAL_COUNT_YIELD(2)
#define MINIMAL_COUNT_YIELD_8() \
  MINIMAL_COUNT_YIELD_2()       \
  MINIMAL_COUNT_YIELD(3)        \
  MINIMAL_COUNT_YIELD(4) MINIMAL_COUNT_YIELD(5) MINIMAL_COUNT_YIELD(6) MINIMAL_COUNT_YIELD(7) MINIMAL_COUNT_YIELD(8)

template <uint8_t Yields, char Which>
struct minimal_counting;

#define MINIMAL_COUNTING(yields, body)                    \
  template <char Which>                                   \
  struct minimal_counting<yields, Which> : minimal::job { \
    constexpr minimal_counting() : minimal::job(&run) {}  \
    static uint8_t run(minimal::job*, uint8_t at) {       \
      switch (at) {                                       \
        case 0:                                           \
          for (;;) {                                      \
            differ<-Which>();                             \
            body()                                        \
          }                                               \
        default:                                          \
          __builtin_unreachable();                        \
      }                                                   \
    }                                                     \
  };
MINIMAL_COUNTING(1, MINIMAL_COUNT_YIELD_1)
MINIMAL_COUNTING(2, MINIMAL_COUNT_YIELD_2)
MINIMAL_COUNTING(8, MINIMAL_COUNT_YIELD_8)

template <uint8_t Yields>
struct minimal_ending;

#define MINIMAL_ENDING(yields, body)                     \
  template <>                                            \
  struct minimal_ending<yields> : minimal::job {         \
    constexpr minimal_ending() : minimal::job(&run) {}   \
    static uint8_t run(minimal::job* self, uint8_t at) { \
      switch (at) {                                      \
        case 0:                                          \
          while (counter < steps::count()) {             \
            differ<-'e'>();                              \
            body()                                       \
          }                                              \
          self->next = nullptr;                          \
          return 0;                                      \
        default:                                         \
          __builtin_unreachable();                       \
      }                                                  \
    }                                                    \
  };
MINIMAL_ENDING(2, MINIMAL_COUNT_YIELD_2)
MINIMAL_ENDING(8, MINIMAL_COUNT_YIELD_8)

/// The bins of a job: one set for both clocks, because RAM is short.
template <typename Job>
struct minimal_bins {
  static uint16_t bins[32];
};
template <typename Job>
uint16_t minimal_bins<Job>::bins[32];

/// A step between two readings of the clock, counted in one of 32 bins that double. The bins do not
/// saturate.
template <typename Job, typename Clock>
struct minimal_timed : Job {
  minimal_timed() { this->body = &run; }

  static BATON_FLATTEN uint8_t run(minimal::job* self, uint8_t at) {
    auto begun = Clock::now();
    at = Job::run(self, at);
    return count(static_cast<decltype(begun)>(Clock::now() - begun), at);
  }

 private:
  static constexpr uint8_t shift = baton::port::profile_ticks_per_us > 1 ? 2 : 1;

  template <typename Ticks>
  static BATON_INLINE uint8_t count(Ticks took, uint8_t at) {
    if (took > 0xff) return count_far(took, at);
    uint16_t* bin = minimal_bins<Job>::bins;
    for (uint8_t left = static_cast<uint8_t>(took) >> shift; left; left >>= 1) ++bin;
    ++*bin;
    return at;
  }

  /// Returns `at`, so that the call is the caller's last action and the caller saves nothing for
  /// it.
  template <typename Ticks>
  static BATON_NOINLINE uint8_t count_far(Ticks took, uint8_t at) {
    uint16_t* bin = minimal_bins<Job>::bins;
    for (took >>= shift; took; took >>= 1) ++bin;
    ++*bin;
    return at;
  }
};

}  // namespace suite_auto
