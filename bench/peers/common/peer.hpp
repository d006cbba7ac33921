// SPDX-License-Identifier: MIT
#pragma once

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

/// The common parts of the C++ peers: one case at a time, timed, counted, and printed as a bench
/// record.
///
/// A peer is called with a suite and a group of its cases: `alone` are the cases of one thread,
/// which the lab pins to one CPU; `threads` are the others.
namespace peer {

/// Makes the compiler store and reload the memory that it knows.
inline void escape() {
  asm volatile("" ::: "memory");
}

inline uint64_t now_ns(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

/// Times the intervals between `start` and `stop`, and adds them up.
class stopwatch {
 public:
  void start(clockid_t clock = CLOCK_MONOTONIC) {
    clock_ = clock;
    escape();
    began_ = now_ns(clock_);
  }
  void stop() {
    escape();
    total_ += now_ns(clock_) - began_;
  }
  uint64_t total_ns() const { return total_; }

 private:
  clockid_t clock_ = CLOCK_MONOTONIC;
  uint64_t began_ = 0;
  uint64_t total_ = 0;
};

/// The pseudo-random numbers that all peers draw from.
class random_numbers {
 public:
  uint32_t next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }

 private:
  uint32_t state_ = 1;
};

/// A message of `Bytes` bytes, whose first word counts.
template <size_t Bytes>
struct block {
  uint32_t word = 0;
  unsigned char rest[Bytes - sizeof(uint32_t)] = {};
};
template <>
struct block<sizeof(uint32_t)> {
  uint32_t word = 0;
};

/// An event of 16 bytes: its type, its target and its values.
struct event {
  uint16_t type = 0;
  uint16_t target = 0;
  uint32_t number = 0;
  uint64_t value = 0;
};

/// A handler for each of the four types.
class handlers {
 public:
  static constexpr uint32_t types = 4;

  void dispatch(const event& happened) {
    switch (happened.type) {
      case 0:
        sums_[0] += happened.number;
        break;
      case 1:
        sums_[1] ^= happened.value;
        break;
      case 2:
        sums_[2] += happened.value + 1;
        break;
      default:
        sums_[3] -= happened.number;
        break;
    }
    ++handled_;
  }
  uint64_t handled() const { return handled_; }

 private:
  uint64_t sums_[types] = {};
  uint64_t handled_ = 0;
};

/// The events of one producer, with types in turn or at random.
class events {
 public:
  static constexpr uint32_t batch = 4096;

  explicit events(bool random) : random_(random) {}
  event next() {
    ++count_;
    const uint32_t number = random_ ? numbers_.next() >> 8 : count_;
    return {static_cast<uint16_t>(number % handlers::types), 0, number, count_};
  }

 private:
  bool random_;
  uint32_t count_ = 0;
  random_numbers numbers_;
};

/// Timers are due at random within this time from the start. Arming a million takes a peer longer,
/// so none waits. A peer that is faster sleeps with the watch stopped.
constexpr uint32_t timers_due_ms = 100;

/// The bytes that malloc has given out and not taken back, its own headers included.
inline uint64_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// The cases of a peer.
class session {
 public:
  session(int argc, char** argv, const char* peer, const char* version)
      : suite_(argc == 3 ? argv[1] : ""), group_(argc == 3 ? argv[2] : ""), peer_(peer), version_(version) {
    if (group_ != "alone" && group_ != "threads") {
      std::fprintf(stderr, "%s: call it with a suite, and alone or threads\n", argv[0]);
      code_ = 2;
    }
  }

  bool alone(const char* suite) const { return suite_ == suite && group_ == "alone"; }
  bool threads(const char* suite) const { return suite_ == suite && group_ == "threads"; }

  /// Measures `run(count, watch)`, which does the work `count` times between the watch's start and
  /// stop, and returns the number of times. A tenth of it comes first, unmeasured; the value is the
  /// median of the repeats. `more` is added to the record. A run with a wrong count has no record.
  template <typename Run>
  void time(const std::string& of_case, uint64_t count, Run run, unsigned repeats = 15, const char* more = "") {
    stopwatch warm;
    bool right = expect(of_case, count / 10, run(count / 10, warm));
    std::vector<double> each;
    for (unsigned done = 0; right && done != repeats; ++done) {
      stopwatch watch;
      right = expect(of_case, count, run(count, watch));
      each.push_back(static_cast<double>(watch.total_ns()) / static_cast<double>(count));
    }
    if (!right) return;
    std::sort(each.begin(), each.end());
    print(of_case, "ns", each[each.size() / 2], count);
    std::printf(" repeats=%u min=%.3f max=%.3f pushed=%" PRIu64 " handled=%" PRIu64 "%s\n", repeats, each.front(),
                each.back(), count, count, more);
    std::fflush(stdout);
  }

  /// Prints the bytes of one of `count` things; `how` names the counter.
  void bytes(const std::string& of_case, uint64_t count, uint64_t total, const char* how) {
    print(of_case, "bytes", static_cast<double>(total) / static_cast<double>(count), count);
    std::printf(" by=%s\n", how);
    std::fflush(stdout);
  }

  /// Returns whether `handled` is `pushed`. If it is not, says so and makes the program end with 1.
  bool expect(const std::string& of_case, uint64_t pushed, uint64_t handled) {
    if (pushed == handled) return true;
    std::fprintf(stderr, "%s: %s: handled %" PRIu64 " of %" PRIu64 "\n", peer_, of_case.c_str(), handled, pushed);
    code_ = 1;
    return false;
  }

  int code() const { return code_; }

 private:
  void print(const std::string& of_case, const char* unit, double value, uint64_t iterations) const {
    std::printf("baton-bench/1 suite=%s case=%s board=host unit=%s iterations=%" PRIu64
                " value=%.3f valid=measured peer=%s peer_version=%s",
                suite_.c_str(), of_case.c_str(), unit, iterations, value, peer_, version_);
  }

  std::string suite_;
  std::string group_;
  const char* peer_;
  const char* version_;
  int code_ = 0;
};

}  // namespace peer
