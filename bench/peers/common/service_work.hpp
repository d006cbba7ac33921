// SPDX-License-Identifier: MIT
#pragma once

#include "producers.hpp"

// The extent of the suite service, and the listeners of its events. The number of waiting events
// and the memory behind them are a part of the work, so an interval has as many events as in the
// suite's own program.
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

/// The number of events in flight in event_steady.
constexpr uint64_t in_flight = 16;

inline std::string cross_loop(unsigned producers) {
  return "cross_loop producers=" + std::to_string(producers) + " threads=1";
}

/// The sum of the first `count` numbers from 0.
constexpr uint64_t sum_of_first(uint64_t count) {
  return count * (count - 1) / 2;
}

/// The sum of all numbers if each producer counts from 0.
constexpr uint64_t sum_of_shares(uint64_t total, unsigned producers) {
  uint64_t sum = 0;
  for (unsigned index = 0; index != producers; ++index) sum += sum_of_first(share_of(total, producers, index));
  return sum;
}

/// Handles events of 8 bytes, and adds them up.
class listener {
 public:
  void hear(uint64_t number) {
    sum_ += number;
    ++heard_;
  }
  uint64_t heard() const { return heard_; }
  /// The number of events if their sum is right, otherwise 0.
  uint64_t heard_if(uint64_t sum) const { return sum == sum_ ? heard_ : 0; }

 private:
  uint64_t sum_ = 0;
  uint64_t heard_ = 0;
};

/// Handles numbers from 1 on, which have to come in order.
class orderly_listener {
 public:
  void hear(uint64_t number) { is_wrong_ |= number != ++heard_; }
  uint64_t heard() const { return heard_; }
  /// The number of events if all came in order, otherwise 0.
  uint64_t heard_in_order() const { return is_wrong_ ? 0 : heard_; }

 private:
  bool is_wrong_ = false;
  uint64_t heard_ = 0;
};

}  // namespace peer::service
