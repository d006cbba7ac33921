// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/operations.hpp>
#include <baton/bench/record.hpp>
#include <baton/bench/statistics.hpp>
#include <baton/core/attributes.hpp>

/// Measures a workload, its counting work alone, and a minimal prototype of it, side by side.
///
/// A workload is a type with three static functions: `prepare()`, then in the interval `run()`,
/// then `finish()`, which returns true if the count is right. Each can run again and again.
namespace baton {
namespace bench {

/// A base of workloads, whose functions do nothing.
struct workload {
  /// True if `run()` itself starts and stops the meter.
  static constexpr bool delimits = false;

  static void prepare() {}
  static bool finish() { return true; }
};

/// Stands for a base or a floor that a case does not have.
struct none : workload {
  static void run() {}
};

namespace detail {

/// Remembers that a workload counted wrong.
struct verdict {
  static bool& failed() {
    static bool any = false;
    return any;
  }
};

template <typename Workload>
BATON_NOINLINE uint64_t interval() {
  board::meter::settle();
  Workload::prepare();
  if (!Workload::delimits) board::meter::start();
  Workload::run();
  if (!Workload::delimits) board::meter::stop();
  if (!Workload::finish()) verdict::failed() = true;
  return self_counting<board::meter>::exists ? self_counting<board::meter>::read() : board::meter::elapsed_ns();
}

/// A base or a floor; `none` if the case has none.
template <typename Workload>
struct part {
  static constexpr bool exists = true;
  static uint64_t measure() { return interval<Workload>(); }
};
template <>
struct part<none> {
  static constexpr bool exists = false;
  static uint64_t measure() { return 0; }
};

/// The intervals of one case, each repeated. Workload, base and floor take turns, so that changes
/// on the machine affect all three.
struct samples {
  static constexpr uint8_t repeats = 25;

  uint64_t work[repeats];
  uint64_t base[repeats];
  uint64_t floor[repeats];
};

inline void print_figure(port::text key, uint64_t total, uint32_t iterations) {
  say(key);
  print_thousandths<out>(thousandths(total, iterations));
}

/// Prints the samples in the order in which they ran.
inline void print_samples(const uint64_t* samples, uint8_t count, uint32_t iterations) {
  print_figure(BATON_TEXT(" samples="), samples[0], iterations);
  for (uint8_t i = 1; i < count; ++i) print_figure(BATON_TEXT(","), samples[i], iterations);
}

inline void print_counted(bool has_base, bool has_floor) {
  say(BATON_TEXT(" value=#0"));
  if (has_base) say(BATON_TEXT(" base=#1"));
  if (has_floor) say(has_base ? BATON_TEXT(" floor=#2") : BATON_TEXT(" floor=#1"));
  if (board::meter::counts_memory) say(BATON_TEXT(" reads=#r0 writes=#w0"));  // of the workload, gross as `value`
}

inline void print_own(uint32_t work, uint32_t base, uint32_t floor, uint32_t iterations, bool has_base,
                      bool has_floor) {
  print_figure(BATON_TEXT(" value="), work, iterations);
  if (has_base) print_figure(BATON_TEXT(" base="), base, iterations);
  if (has_floor) print_figure(BATON_TEXT(" floor="), floor, iterations);
}

inline void print_timed(samples& s, uint32_t iterations, bool has_base, bool has_floor) {
  print_samples(s.work, s.repeats, iterations);
  sort(s.work, s.repeats);
  sort(s.base, s.repeats);
  sort(s.floor, s.repeats);
  print_figure(BATON_TEXT(" value="), median(s.work, s.repeats), iterations);
  if (has_base) print_figure(BATON_TEXT(" base="), median(s.base, s.repeats), iterations);
  if (has_floor) print_figure(BATON_TEXT(" floor="), median(s.floor, s.repeats), iterations);
  say(BATON_TEXT(" repeats="));
  print_number<out>(s.repeats);
  print_figure(BATON_TEXT(" min="), s.work[0], iterations);
  print_figure(BATON_TEXT(" median="), median(s.work, s.repeats), iterations);
  print_figure(BATON_TEXT(" max="), s.work[s.repeats - 1], iterations);
}

template <typename Work, typename Base, typename Floor>
void count(const row& r) {
  const uint32_t work = static_cast<uint32_t>(part<Work>::measure());
  const uint32_t base = static_cast<uint32_t>(part<Base>::measure());
  const uint32_t floor = static_cast<uint32_t>(part<Floor>::measure());
  begin_record(r, board::meter::unit());
  if (self_counting<board::meter>::exists) {
    print_own(work, base, floor, r.iterations, part<Base>::exists, part<Floor>::exists);
  } else {
    print_counted(part<Base>::exists, part<Floor>::exists);
  }
  end_record(r, board::meter::valid());
}

template <typename Work, typename Base, typename Floor>
void time(const row& r) {
  samples s;
  part<Work>::measure();  // warms caches and branch predictors
  for (uint8_t i = 0; i < s.repeats; ++i) {
    s.work[i] = part<Work>::measure();
    s.base[i] = part<Base>::measure();
    s.floor[i] = part<Floor>::measure();
  }
  begin_record(r, board::meter::unit());
  print_timed(s, r.iterations, part<Base>::exists, part<Floor>::exists);
  end_record(r, board::meter::valid());
}

}  // namespace detail

/// Measures one case and prints its record.
template <typename Work, typename Base, typename Floor>
BATON_NOINLINE void measure(const row& r) {
  if (board::meter::always_counts || board::meter::counts()) {
    detail::count<Work, Base, Floor>(r);
  } else {
    detail::time<Work, Base, Floor>(r);
  }
}

/// Ends a bench program, with exit code 1 if a workload counted wrong.
[[noreturn]] inline void finish() {
  if (detail::verdict::failed()) detail::say(BATON_TEXT("# a workload counted wrong\n"));
  detail::say_end(detail::verdict::failed() ? 1 : 0);
  board::finish(detail::verdict::failed() ? 1 : 0);
}

}  // namespace bench
}  // namespace baton
