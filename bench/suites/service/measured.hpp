// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "interval.hpp"
#include "pairs.hpp"
#include "peak.hpp"

// One case of the suite service: its figure beside its floor's, its count, and its peak of memory.

namespace suite_service {

/// The extent of a case's measurement.
struct extent {
  uint32_t timed;        // operations of an interval, on each thread
  uint32_t counted_few;  // as `timed`, where instructions are counted; 0: they are not counted
  uint8_t repeats;       // intervals
};

struct title {
  const char* name;
  std::string params;  // without the number of threads
  uint32_t threads = 1;

  std::string words() const { return params + (params.empty() ? "" : " ") + "threads=" + std::to_string(threads); }
};

/// The cases of the suite, in a program that measures all of them, or in a child that runs one of
/// them.
class cases {
 public:
  explicit cases(child_request r) : request_(r) {}

  template <typename Work, typename Floor>
  void time(const title& t, const extent& e) {
    const uint32_t number = next_++;
    if (request_.is_child()) return run_in_child<Work, Floor>(number, e.timed, t.threads);
    if (!baton::board::meter::counts()) {
      return in_turns<Work>(number, t, e, [&] {
        counted c;
        return interval<Floor>(e.timed, t.threads, c);
      });
    }
    if (e.counted_few != 0) return count<Work, Floor>(t, e.counted_few);
    right(peak_of(number, weigh_workload));  // there is no figure, but the count has to be right
  }
  /// Measures two threads of one process; the floor is two processes.
  template <typename Work>
  void pair(const title& t, const extent& e) {
    const uint32_t number = next_++;
    if (request_.is_child()) return run_in_child<Work, Work>(number, e.timed, t.threads);
    if (!baton::board::meter::counts()) {
      return in_turns<Work>(number, t, e, [number] { return two_processes(number).interval(); });
    }
    right(peak_of(number, weigh_workload));
    two_processes both(number);
    both.run();
    both.finish();
  }
  /// Prints the record of a peak of memory alone, and of the floor's.
  template <typename Work, typename Floor>
  void weigh(const title& t, uint32_t operations) {
    const uint32_t number = next_++;
    if (request_.is_child()) return run_in_child<Work, Floor>(number, operations, t.threads);
    const peak ours = right(peak_of(number, weigh_workload)), floor = right(peak_of(number, weigh_floor));
    const std::string words = t.words();
    const row r = of(t, words, 1);
    baton::bench::detail::begin_record(r, "bytes");
    say(" value=", ours.bytes);
    say(" floor=", floor.bytes);
    say_counts(ours.counts);
    baton::bench::detail::end_record(r, "measured");
  }

 private:
  using row = baton::bench::row;
  static constexpr auto weigh_workload = child_request::purpose::weigh_workload;
  static constexpr auto weigh_floor = child_request::purpose::weigh_floor;
  static constexpr uint8_t most_repeats = 25;

  static row of(const title& t, const std::string& words, uint32_t operations) {
    return {BATON_TEXT("service"), t.name, words.c_str(), operations};
  }
  static void say(const char* key, uint64_t n) {
    baton::bench::detail::say(key);
    baton::bench::print_number<baton::bench::detail::out>(n);
  }
  static void say_counts(const counted& c) {
    say(" handled=", c.handled);
    say(" pushed=", c.pushed);
  }
  static peak right(const peak& p) {
    if (!p.counts.is_right() || p.bytes == 0) baton::bench::detail::verdict::failed() = true;
    return p;
  }

  template <typename Work, typename Floor>
  void run_in_child(uint32_t number, uint32_t operations, uint32_t threads) const {
    if (number != request_.number) return;
    if (request_.what == child_request::purpose::run_at_a_sign) two_processes::run_at_a_sign<Work>(operations);
    counted c;
    if (request_.what == weigh_workload) {
      interval<Work>(operations, threads, c);
    } else {
      interval<Floor>(operations, threads, c);
    }
    answer(c);
  }

  /// Runs the workload and its floor in turns, so that changes on the machine affect both.
  template <typename Work, typename Floor>
  static void in_turns(uint32_t number, const title& t, const extent& e, Floor&& interval_of_floor) {
    uint64_t work[most_repeats], floor[most_repeats];
    counted c;
    interval<Work>(e.timed, t.threads, c);  // warms caches and branch predictors
    for (uint8_t i = 0; i != e.repeats; ++i) {
      work[i] = interval<Work>(e.timed, t.threads, c);
      floor[i] = interval_of_floor();
    }
    const std::string words = t.words();
    const uint32_t operations = e.timed * t.threads;
    const row r = of(t, words, operations);
    using baton::bench::detail::print_figure;
    baton::bench::detail::begin_record(r, baton::board::meter::unit());
    baton::bench::detail::print_samples(work, e.repeats, operations);
    baton::bench::sort(work, e.repeats);
    baton::bench::sort(floor, e.repeats);
    print_figure(BATON_TEXT(" value="), baton::bench::median(work, e.repeats), operations);
    print_figure(BATON_TEXT(" floor="), baton::bench::median(floor, e.repeats), operations);
    say(" repeats=", e.repeats);
    print_figure(BATON_TEXT(" min="), work[0], operations);
    print_figure(BATON_TEXT(" max="), work[e.repeats - 1], operations);
    say_counts(c);
    if constexpr (requires { Work::bytes_each; }) {
      const uint64_t median = baton::bench::median(work, e.repeats);
      say(" bytes_per_s=", median == 0 ? 0 : uint64_t{operations} * Work::bytes_each * 1000000000u / median);
    }
    say(" peak_bytes=", right(peak_of(number, weigh_workload)).bytes);
    baton::bench::detail::end_record(r, baton::board::meter::valid());
  }

  template <typename Work, typename Floor>
  static void count(const title& t, uint32_t operations) {
    counted ours, theirs;
    interval<Work>(operations, 1, ours);
    interval<Floor>(operations, 1, theirs);
    const std::string words = t.words();
    const row r = of(t, words, operations);
    baton::bench::detail::begin_record(r, baton::board::meter::unit());
    baton::bench::detail::say(BATON_TEXT(" value=#0 floor=#1"));
    say_counts(ours);
    baton::bench::detail::end_record(r, baton::board::meter::valid());
  }

  const child_request request_;
  uint32_t next_ = 0;
};

}  // namespace suite_service
