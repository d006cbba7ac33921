// SPDX-License-Identifier: MIT
//
// The cost of a switch between coroutines: two coroutines alternate and count.
// bench/suites/README.md describes each case.
#include "auto.hpp"

#include "compat_auto.hpp"

namespace suite_auto {
namespace {

using baton::scheduler;
using baton::bench::begin;
using baton::bench::measure;
using baton::bench::none;
using baton::bench::workload;

/// A workload that counts from 0 and must end at the full count.
struct counted : workload {
  static void prepare() { counter = 0; }
  static bool finish() { return counter == steps::count(); }
};

/// A loop that counts: the counting work of every case that a loop of the main program drives.
/// `Index` is 32 bits wide in the published programs.
template <typename Index>
struct loop : counted {
  static BATON_INLINE void run() {
    for (Index i = 0; i < steps::count(); ++i) COUNT();
  }
};
using empty_loop = loop<uint32_t>;
using short_loop = loop<uint_fast16_t>;

// ---- direct: a loop of the main program resumes two coroutines in turn

template <typename A, typename B, typename Index = uint_fast16_t>
struct direct : counted {
  static A a;
  static B b;

  static void prepare() {
    counter = 0;
    begin(a);
    begin(b);
    a.suspend();
    b.suspend();
  }
  static BATON_INLINE void run() {
    for (Index i = 0; i < steps::count() / 2; ++i) {
      a.direct_resume();
      b.direct_resume();
      BATON_COMPILER_BARRIER();  // or g++ follows both states through the loop and resumes neither
    }
  }
};
template <typename A, typename B, typename Index>
A direct<A, B, Index>::a;
template <typename A, typename B, typename Index>
B direct<A, B, Index>::b;

template <typename A, typename B, typename Index = uint_fast16_t>
struct minimal_direct : counted {
  static uint8_t at_a, at_b;

  static BATON_INLINE void run() {
    for (Index i = 0; i < steps::count() / 2; ++i) {
      at_a = A::run(nullptr, at_a);
      at_b = B::run(nullptr, at_b);
      BATON_COMPILER_BARRIER();
    }
  }
};
template <typename A, typename B, typename Index>
uint8_t minimal_direct<A, B, Index>::at_a;
template <typename A, typename B, typename Index>
uint8_t minimal_direct<A, B, Index>::at_b;

// ---- scheduler: run() switches between two coroutines until one of them calls stop()

template <typename Ending, typename Counting>
struct through_run : counted {
  static Ending ending;
  static Counting counting;

  static void prepare() {
    counter = 0;
    begin(ending);
    begin(counting);
  }
  static BATON_INLINE void run() { scheduler::run(); }
  static bool finish() {
    counting.suspend();
    return counted::finish();
  }
};
template <typename Ending, typename Counting>
Ending through_run<Ending, Counting>::ending;
template <typename Ending, typename Counting>
Counting through_run<Ending, Counting>::counting;

template <typename Ending, typename Counting>
struct minimal_through_run : counted {
  static Ending ending;
  static Counting counting;

  static void prepare() {
    counter = 0;
    ending.next = &counting;
    counting.next = &ending;
  }
  static BATON_INLINE void run() { minimal::run_ring(&ending); }
};
template <typename Ending, typename Counting>
Ending minimal_through_run<Ending, Counting>::ending;
template <typename Ending, typename Counting>
Counting minimal_through_run<Ending, Counting>::counting;

// ---- run_one: the main program calls it in a loop

template <typename A, typename B, typename Index = uint_fast16_t>
struct by_run_one : counted {
  static A a;
  static B b;

  static void prepare() {
    counter = 0;
    begin(a);
    begin(b);
  }
  static BATON_INLINE void run() {
    for (Index i = 0; i < steps::count(); ++i) scheduler::run_one();
  }
  static bool finish() {
    a.suspend();
    b.suspend();
    return counted::finish();
  }
};
template <typename A, typename B, typename Index>
A by_run_one<A, B, Index>::a;
template <typename A, typename B, typename Index>
B by_run_one<A, B, Index>::b;

/// Runs the jobs of a ring of two one after another; the loop counts.
template <uint8_t Yields, typename Index = uint_fast16_t>
struct minimal_by_one : counted {
  static minimal_counting<Yields, 'o'> a;
  static minimal_counting<Yields, 'p'> b;

  static void prepare() {
    counter = 0;
    a.next = &b;
    b.next = &a;
  }
  static BATON_INLINE void run() {
    minimal::job* j = &a;
    for (Index i = 0; i < steps::count(); ++i, j = j->next) j->at = j->body(j, j->at);
  }
};
template <uint8_t Yields, typename Index>
minimal_counting<Yields, 'o'> minimal_by_one<Yields, Index>::a;
template <uint8_t Yields, typename Index>
minimal_counting<Yields, 'p'> minimal_by_one<Yields, Index>::b;

// ---- profiled: as the same case without, each step timed and counted in a bin

template <typename Coroutine, typename Clock>
struct with_bins : baton::profiled<Coroutine, Clock> {
  void start() {
    this->attach(bins);
    baton::profiled<Coroutine, Clock>::start();
  }

  baton::log_bins bins;
};

using clock16 = baton::profile_clock16;
using clock32 = baton::profile_clock32;

template <uint8_t Yields, typename Clock>
using profiled_run = through_run<with_bins<ending<Yields>, Clock>, with_bins<counting<Yields, 'r'>, Clock>>;
template <uint8_t Yields, typename Clock>
using minimal_profiled_run = minimal_through_run<minimal_timed<minimal_ending<Yields>, Clock>,
                                                 minimal_timed<minimal_counting<Yields, 'r'>, Clock>>;

template <typename Clock>
using profiled_direct = direct<with_bins<counting<2, 'a'>, Clock>, with_bins<counting<2, 'b'>, Clock>>;
template <typename Clock>
using minimal_profiled_direct =
    minimal_direct<minimal_timed<minimal_counting<2, 'a'>, Clock>, minimal_timed<minimal_counting<2, 'b'>, Clock>>;

// ---- The list

baton::bench::row row_of(baton::port::text name, baton::port::text params) {
  return baton::bench::row(BATON_TEXT("auto"), name, params, steps::count());
}

template <uint8_t Yields>
void direct_case(baton::port::text params) {
  using work = direct<counting<Yields, 'a'>, counting<Yields, 'b'>>;
  using floor = minimal_direct<minimal_counting<Yields, 'a'>, minimal_counting<Yields, 'b'>>;
  measure<work, short_loop, floor>(row_of(BATON_TEXT("direct"), params));
}

template <typename Clock>
void direct_profiled_case(baton::port::text params) {
  measure<profiled_direct<Clock>, short_loop, minimal_profiled_direct<Clock>>(
      row_of(BATON_TEXT("direct_profiled"), params));
}

template <uint8_t Yields>
void scheduler_case(baton::port::text params) {
  using work = through_run<ending<Yields>, counting<Yields, 'r'>>;
  using floor = minimal_through_run<minimal_ending<Yields>, minimal_counting<Yields, 'r'>>;
  measure<work, base_of_run<Yields>, floor>(row_of(BATON_TEXT("scheduler"), params));
}

template <uint8_t Yields, typename Clock>
void scheduler_profiled_case(baton::port::text params) {
  measure<profiled_run<Yields, Clock>, base_of_run<Yields>, minimal_profiled_run<Yields, Clock>>(
      row_of(BATON_TEXT("scheduler_profiled"), params));
}

void own_cases() {
  measure<empty_loop, empty_loop, none>(row_of(BATON_TEXT("empty_loop"), BATON_TEXT("")));
  direct_case<2>(BATON_TEXT("yields=2"));
  direct_case<8>(BATON_TEXT("yields=8"));
  direct_profiled_case<clock16>(BATON_TEXT("yields=2 clock=16"));
  direct_profiled_case<clock32>(BATON_TEXT("yields=2 clock=32"));
  scheduler_case<2>(BATON_TEXT("yields=2"));
  scheduler_case<8>(BATON_TEXT("yields=8"));
  scheduler_profiled_case<2, clock16>(BATON_TEXT("yields=2 clock=16"));
  scheduler_profiled_case<2, clock32>(BATON_TEXT("yields=2 clock=32"));
  scheduler_profiled_case<8, clock16>(BATON_TEXT("yields=8 clock=16"));
  scheduler_profiled_case<8, clock32>(BATON_TEXT("yields=8 clock=32"));
  using one = by_run_one<counting<2, 'o'>, counting<2, 'p'>>;
  measure<one, short_loop, minimal_by_one<2>>(row_of(BATON_TEXT("run_one"), BATON_TEXT("yields=2")));
}

/// The shape of AceRoutine's AutoBenchmark: a single yield point, 32-bit loop counters, one job per
/// call of the scheduler. Its published profiled rows ran with no profiler attached, and so do
/// these.
void published_cases() {
  using a = counting<1, 'a'>;
  using b = counting<1, 'b'>;
  using profiled_a = baton::profiled<counting<1, 'c'>>;
  using profiled_b = baton::profiled<counting<1, 'd'>>;
  using resumed = minimal_direct<minimal_counting<1, 'a'>, minimal_counting<1, 'b'>, uint32_t>;
  using scheduled = minimal_by_one<1, uint32_t>;
  baton::port::text no_params = BATON_TEXT("");
  measure<direct<a, b, uint32_t>, empty_loop, resumed>(row_of(BATON_TEXT("published_direct"), no_params));
  measure<direct<profiled_a, profiled_b, uint32_t>, empty_loop, resumed>(
      row_of(BATON_TEXT("published_direct_profiled"), no_params));
  measure<by_run_one<a, b, uint32_t>, empty_loop, scheduled>(row_of(BATON_TEXT("published_scheduler"), no_params));
  measure<by_run_one<profiled_a, profiled_b, uint32_t>, empty_loop, scheduled>(
      row_of(BATON_TEXT("published_scheduler_profiled"), no_params));
}

/// AceRoutine's programs on compat/aceroutine, with the board's flags. The suite compat has those
/// that the Arduino IDE compiles.
void compat_cases() {
  baton::port::text flags = BATON_TEXT("flags=board");
  using resumed = minimal_direct<minimal_counting<2, 'a'>, minimal_counting<2, 'b'>, uint32_t>;
  using resumed_one = minimal_direct<minimal_counting<1, 'a'>, minimal_counting<1, 'b'>, uint32_t>;
  measure<compat_direct_two, empty_loop, resumed>(row_of(BATON_TEXT("compat_direct"), flags));
  measure<compat_direct_one, empty_loop, resumed_one>(row_of(BATON_TEXT("compat_direct_one_yield"), flags));
  measure<compat_scheduler<compat_two>, empty_loop, minimal_by_one<2, uint32_t>>(
      row_of(BATON_TEXT("compat_scheduler"), flags));
  measure<compat_scheduler<compat_one>, empty_loop, minimal_by_one<1, uint32_t>>(
      row_of(BATON_TEXT("compat_scheduler_one_yield"), flags));
}

}  // namespace
}  // namespace suite_auto

int main() {
  baton::board::start();
  suite_auto::own_cases();
  suite_auto::published_cases();
  suite_auto::compat_cases();
  baton::bench::finish();
}
