// SPDX-License-Identifier: MIT
//
// What a switch between coroutines costs: two coroutines alternate and count. bench/README.md says how each case counts.
#include "auto.hpp"

namespace suite_auto {
namespace {

using baton::scheduler;
using baton::bench::measure;
using baton::bench::none;
using baton::bench::workload;

/// Where counting starts at 0 and must end at the full count.
struct counted : workload {
  static void prepare() { counter = 0; }
  static bool finish() { return counter == steps::count(); }
};

/// A loop that counts: the counting work of every case that a loop of the main program drives. `Index` is 32 bits wide in the
/// published programs.
template <typename Index>
struct loop : counted {
  static BATON_INLINE void run() {
    for (Index i = 0; i < steps::count(); ++i) COUNT();
  }
};
using empty_loop = loop<uint32_t>;
using short_loop = loop<uint_fast16_t>;

/// Starts a coroutine, or starts it over: it stands at the tail of the ready queue.
template <typename Coroutine>
void begin(Coroutine& c) {
  c.start();
  c.restart();
}

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
    }
  }
};
template <typename A, typename B, typename Index>
A direct<A, B, Index>::a;
template <typename A, typename B, typename Index>
B direct<A, B, Index>::b;

template <uint8_t Yields, typename Index = uint_fast16_t>
struct bare_direct : counted {
  using a = bare_counting<Yields, 'a'>;
  using b = bare_counting<Yields, 'b'>;

  static uint8_t at_a, at_b;

  static BATON_INLINE void run() {
    for (Index i = 0; i < steps::count() / 2; ++i) {
      at_a = a::run(nullptr, at_a);
      at_b = b::run(nullptr, at_b);
    }
  }
};
template <uint8_t Yields, typename Index>
uint8_t bare_direct<Yields, Index>::at_a;
template <uint8_t Yields, typename Index>
uint8_t bare_direct<Yields, Index>::at_b;

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

template <uint8_t Yields>
struct bare_through_run : counted {
  static bare_ending<Yields> ending;
  static bare_counting<Yields, 'r'> counting;

  static void prepare() {
    counter = 0;
    ending.next = &counting;
    counting.next = &ending;
  }
  static BATON_INLINE void run() { bare::run_ring(&ending); }
};
template <uint8_t Yields>
bare_ending<Yields> bare_through_run<Yields>::ending;
template <uint8_t Yields>
bare_counting<Yields, 'r'> bare_through_run<Yields>::counting;

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

/// One round after another of a ring of two, a count from outside.
template <uint8_t Yields, typename Index = uint_fast16_t>
struct bare_by_one : counted {
  static bare_counting<Yields, 'o'> a;
  static bare_counting<Yields, 'p'> b;

  static void prepare() {
    counter = 0;
    a.next = &b;
    b.next = &a;
  }
  static BATON_INLINE void run() {
    bare::job* j = &a;
    for (Index i = 0; i < steps::count(); ++i, j = j->next) j->at = j->body(j, j->at);
  }
};
template <uint8_t Yields, typename Index>
bare_counting<Yields, 'o'> bare_by_one<Yields, Index>::a;
template <uint8_t Yields, typename Index>
bare_counting<Yields, 'p'> bare_by_one<Yields, Index>::b;

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

template <typename Clock>
using profiled_direct = direct<with_bins<counting<2, 'a'>, Clock>, with_bins<counting<2, 'b'>, Clock>>;

// ---- The list

#define ROW(name, params) baton::bench::row(BATON_TEXT("auto"), BATON_TEXT(name), BATON_TEXT(params), steps::count())

void direct_cases() {
  using two = direct<counting<2, 'a'>, counting<2, 'b'>>;
  using eight = direct<counting<8, 'a'>, counting<8, 'b'>>;
  measure<two, short_loop, bare_direct<2>>(ROW("direct", "yields=2"));
  measure<eight, short_loop, bare_direct<8>>(ROW("direct", "yields=8"));
  measure<profiled_direct<clock16>, short_loop, bare_direct<2>>(ROW("direct_profiled", "yields=2 clock=16"));
  measure<profiled_direct<clock32>, short_loop, bare_direct<2>>(ROW("direct_profiled", "yields=2 clock=32"));
}

template <uint8_t Yields>
using plain_run = through_run<ending<Yields>, counting<Yields, 'r'>>;

void scheduler_cases() {
  measure<plain_run<2>, base_of_run<2>, bare_through_run<2>>(ROW("scheduler", "yields=2"));
  measure<plain_run<8>, base_of_run<8>, bare_through_run<8>>(ROW("scheduler", "yields=8"));
  using two = bare_through_run<2>;
  using eight = bare_through_run<8>;
  measure<profiled_run<2, clock16>, base_of_run<2>, two>(ROW("scheduler_profiled", "yields=2 clock=16"));
  measure<profiled_run<2, clock32>, base_of_run<2>, two>(ROW("scheduler_profiled", "yields=2 clock=32"));
  measure<profiled_run<8, clock16>, base_of_run<8>, eight>(ROW("scheduler_profiled", "yields=8 clock=16"));
  measure<profiled_run<8, clock32>, base_of_run<8>, eight>(ROW("scheduler_profiled", "yields=8 clock=32"));
  using one = by_run_one<counting<2, 'o'>, counting<2, 'p'>>;
  measure<one, short_loop, bare_by_one<2>>(ROW("run_one", "yields=2"));
}

/// The shape of AceRoutine's AutoBenchmark: a single yield point, 32-bit loop counters, one job a call of the scheduler.
/// Its profiled rows ran with no profiler attached, and so do these.
void published_cases() {
  using a = counting<1, 'a'>;
  using b = counting<1, 'b'>;
  using profiled_a = baton::profiled<counting<1, 'c'>>;
  using profiled_b = baton::profiled<counting<1, 'd'>>;
  using resumed = bare_direct<1, uint32_t>;
  using scheduled = bare_by_one<1, uint32_t>;
  measure<direct<a, b, uint32_t>, empty_loop, resumed>(ROW("published_direct", ""));
  measure<direct<profiled_a, profiled_b, uint32_t>, empty_loop, resumed>(ROW("published_direct_profiled", ""));
  measure<by_run_one<a, b, uint32_t>, empty_loop, scheduled>(ROW("published_scheduler", ""));
  measure<by_run_one<profiled_a, profiled_b, uint32_t>, empty_loop, scheduled>(ROW("published_scheduler_profiled", ""));
}

}  // namespace
}  // namespace suite_auto

int main() {
  using namespace suite_auto;
  baton::board::start();
  measure<empty_loop, empty_loop, none>(ROW("empty_loop", ""));
  direct_cases();
  scheduler_cases();
  published_cases();
  baton::bench::finish();
}
