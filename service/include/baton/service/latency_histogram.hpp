// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/core/duration.hpp>
#include <bit>
#include <cstddef>

namespace baton::BATON_VARIANT::service {

/// Latencies against a deadline: the misses, the least, the most, and a histogram.
///
/// Shape    64 doublings of four bins each, so a bin is at most a quarter wide; no heap.
/// Units    ticks.
/// Context  one thread.
/// Cost     a few instructions per latency.
class latency_histogram {
 public:
  static constexpr size_t bins = size_t{4} * 62;

  /// Counts latencies above `deadline` as missed; 0: there is no deadline.
  explicit latency_histogram(duration deadline = {}) noexcept : deadline_(deadline.ticks()) {}

  void note(tick took) noexcept {
    ++counts_[bin_of(took)];
    if (count_++ == 0 || took < least_) least_ = took;
    if (took > most_) most_ = took;
    if (deadline_ != 0 && took > deadline_) ++missed_;
  }

  uint64_t count() const noexcept { return count_; }
  uint64_t missed() const noexcept { return missed_; }
  tick deadline() const noexcept { return deadline_; }
  tick least() const noexcept { return least_; }
  tick most() const noexcept { return most_; }

  /// The latency that so many of a thousand did not exceed, rounded up to the end of its bin; never
  /// above the most.
  tick permille(uint32_t of_a_thousand) const noexcept {
    const uint64_t wanted = (count_ * of_a_thousand + 999) / 1000;
    uint64_t seen = 0;
    for (size_t b = 0; b != bins; ++b) {
      seen += counts_[b];
      if (seen >= wanted && counts_[b] != 0) return end_of(b) < most_ ? end_of(b) : most_;
    }
    return most_;
  }

  uint64_t in_bin(size_t b) const noexcept { return counts_[b]; }
  /// The longest latency that a bin counts.
  static constexpr tick end_of(size_t b) noexcept {
    if (b < 8) return b;
    const size_t doubling = b / 4 + 1;
    const tick quarter = tick{1} << (doubling - 2);
    return (tick{1} << doubling) + (b % 4 + 1) * quarter - 1;
  }
  static constexpr size_t bin_of(tick t) noexcept {
    if (t < 8) return static_cast<size_t>(t);
    const size_t doubling = static_cast<size_t>(std::bit_width(t)) - 1;
    const size_t b = 4 * (doubling - 1) + static_cast<size_t>((t >> (doubling - 2)) & 3);
    return b < bins ? b : bins - 1;
  }

 private:
  std::array<uint64_t, bins> counts_{};
  uint64_t count_ = 0;
  uint64_t missed_ = 0;
  tick deadline_;
  tick least_ = 0;
  tick most_ = 0;
};

}  // namespace baton::BATON_VARIANT::service
