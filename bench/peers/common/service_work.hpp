// SPDX-License-Identifier: MIT
#pragma once

#include "producers.hpp"

// The extent of the suite service, and those who hear its events. How many wait in a queue, and the memory behind them,
// are a part of the work, so an interval has as many events as one of the suite's own program.
namespace peer::service {

/// An interval on one thread, or on several that share nothing.
struct extent {
  unsigned threads;
  uint64_t events;  // of all threads

  std::string words() const { return " threads=" + std::to_string(threads); }
};
constexpr extent one{1, 1u << 20};
constexpr extent eight{8, 8u << 18};
constexpr uint64_t crossings = 1u << 19;

/// Events that are in flight in event_steady.
constexpr uint64_t in_flight = 16;

inline std::string cross_loop(unsigned producers) {
  return "cross_loop producers=" + std::to_string(producers) + " threads=1";
}

/// Of the numbers from 0 on, so many.
constexpr uint64_t sum_of_first(uint64_t count) {
  return count * (count - 1) / 2;
}

/// Each producer counts from 0.
constexpr uint64_t sum_of_shares(uint64_t total, unsigned producers) {
  uint64_t sum = 0;
  for (unsigned index = 0; index != producers; ++index) sum += sum_of_first(share_of(total, producers, index));
  return sum;
}

/// Hears events of 8 bytes, and adds them up.
class listener {
 public:
  void hear(uint64_t number) {
    sum_ += number;
    ++heard_;
  }
  uint64_t heard() const { return heard_; }
  /// None, where the sum is another.
  uint64_t heard_if(uint64_t sum) const { return sum == sum_ ? heard_ : 0; }

 private:
  uint64_t sum_ = 0;
  uint64_t heard_ = 0;
};

/// Hears them from 1 on, one after the other.
class orderly_listener {
 public:
  void hear(uint64_t number) { is_wrong_ |= number != ++heard_; }
  uint64_t heard() const { return heard_; }
  /// None, where one came out of order.
  uint64_t heard_in_order() const { return is_wrong_ ? 0 : heard_; }

 private:
  bool is_wrong_ = false;
  uint64_t heard_ = 0;
};

}  // namespace peer::service
