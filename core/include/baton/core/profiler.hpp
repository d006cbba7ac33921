// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/job.hpp>
#include <baton/core/platform.hpp>
#include <stdint.h>

namespace baton {

namespace detail {

constexpr uint8_t log2(uint32_t n) {
  return n > 1 ? static_cast<uint8_t>(log2(n / 2) + 1) : 0;
}

}  // namespace detail

/// A histogram of the durations of a coroutine's steps: 32 bins that double from 2 us. 64 bytes.
///
/// Units    bin 0 counts steps shorter than 2 us, bin i those shorter than 2^(i+1) us and not
///          shorter than 2^i.
/// Errors   a full bin stays at 65535.
struct log_bins {
  static constexpr uint8_t count = 32;

  uint16_t bin[count] = {};

  void clear() {
    for (uint16_t& b : bin) b = 0;
  }

  /// Counts one step of `ticks` of the profiler's clock.
  template <typename Ticks>
  BATON_INLINE void record(Ticks ticks) {
    uint16_t* b = bin;
    if (sizeof(ticks) > 1 && BATON_UNLIKELY(ticks > 0xff)) {
      b = far_bin(b, ticks);
    } else {
      for (uint8_t left = static_cast<uint8_t>(ticks) >> shift; left; left >>= 1) ++b;
    }
    uint16_t raised = static_cast<uint16_t>(*b + 1);
    if (raised) *b = raised;
  }

 private:
  static_assert((port::profile_ticks_per_us & (port::profile_ticks_per_us - 1)) == 0,
                "port::profile_ticks_per_us must be a power of two, so that a bin is found by shifting");

  static constexpr uint8_t shift = detail::log2(port::profile_ticks_per_us) + 1;

  static BATON_NOINLINE uint16_t* far_bin(uint16_t* b, uint32_t ticks) {
    for (ticks >>= shift; ticks; ticks >>= 1) ++b;
    return b;
  }
};

/// The profiler's clock of 16 bits. It is cheap; a step longer than its range (32.8 ms on AVR, 65.5
/// on hosts) is counted too short.
struct profile_clock16 {
  static BATON_INLINE port::profile_tick16 now() { return port::profile_now16(); }
};

/// The profiler's clock of 32 bits: exact up to its range (35 minutes on AVR, 71 on hosts).
struct profile_clock32 {
  static BATON_INLINE port::profile_tick32 now() { return port::profile_now32(); }
};

/// A coroutine whose steps can be timed: `profiled<blink> b; b.attach(bins);`
///
/// Shape    a pointer. Without bins attached, its steps run as fast as without this class.
/// Context  only this coroutine pays; the scheduler and the other jobs know nothing of it. `attach`
///          and `detach` are for code between runs and for other jobs.
/// Cost     bench/suites/auto.cpp, cases *_profiled.
template <typename Coroutine, typename Clock = profile_clock16>
class profiled : public Coroutine {
 public:
  using Coroutine::Coroutine;

  void attach(log_bins& bins) {
    bins_ = &bins;
    if (this->body) this->body = &timed_run_;
  }
  void detach() {
    bins_ = nullptr;
    if (this->body) this->body = &Coroutine::run_;
  }

  /// As `coroutine::start`.
  void start() {
    Coroutine::start();
    if (bins_) this->body = &timed_run_;
  }

  /// As `coroutine::restart`.
  void restart() {
    Coroutine::restart();
    if (bins_) this->body = &timed_run_;
  }

  /// As `coroutine::direct_resume`, timed while bins are attached.
  BATON_INLINE void direct_resume() {
    if (!this->may_step_()) return;
    point next = bins_ ? timed_run_(this, this->at) : Coroutine::run_(this, this->at);
    if (!(next & suspended)) this->at = next;
  }

 private:
  static BATON_FLATTEN point timed_run_(job* j, point at) {
    profiled& self = static_cast<profiled&>(static_cast<typename Coroutine::base_type&>(*j));
    auto begun = Clock::now();
    point next = Coroutine::run_(j, at);
    auto took = static_cast<decltype(begun)>(Clock::now() - begun);
    self.bins_->record(took);
    return next;
  }

  log_bins* bins_ = nullptr;
};

}  // namespace baton
