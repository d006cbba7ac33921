// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <baton/core/profiler.hpp>

#include <ace_routine/Coroutine.h>

namespace ace_routine {

/// Counts the durations of a coroutine's steps in 32 bins, whose bounds double from 2 us.
///
/// Shape    66 bytes on AVR: a static object and `setProfiler()`, or `createProfilers()` for all
///          coroutines at once, on the heap.
/// Units    bin 0 counts steps shorter than 2 us; bin i counts steps from 2^i us up to, but not
///          including, 2^(i+1) us.
/// Errors   a full bin stays at 65535. If the heap is exhausted, a coroutine gets no profiler.
template <typename T_COROUTINE>
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): no code destroys one by another type
class LogBinProfilerTemplate : public CoroutineProfiler {
 public:
  static constexpr uint8_t kNumBins = baton::log_bins::count;

  void updateElapsedMicros(uint32_t micros) override {
    uint16_t* bin = mBins;
    while (micros >>= 1) ++bin;
    uint16_t raised = static_cast<uint16_t>(*bin + 1);
    if (raised) *bin = raised;
  }

  void clear() {
    for (uint16_t& bin : mBins) bin = 0;
  }

  /// Gives a profiler to each coroutine without one.
  static void createProfilers() {
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      if (!c->getProfiler()) c->setProfiler(new LogBinProfilerTemplate);
    }
  }

  /// Deletes the profilers of `createProfilers()`. Every profiler must be one of these.
  static void deleteProfilers() {
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      operator delete(of(*c));
      c->setProfiler(nullptr);
    }
  }

  /// Clears all profilers, which must be of this type.
  static void clearProfilers() {
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      if (of(*c)) of(*c)->clear();
    }
  }

  /// The profiler of a coroutine, which must be of this type; null if there is none.
  static LogBinProfilerTemplate* of(const T_COROUTINE& c) {
    return static_cast<LogBinProfilerTemplate*>(c.getProfiler());
  }

  // An allocator that may fail, so that `new` returns null; with the allocator of the Arduino core
  // the constructor would write to null. A board without a C library can compile this as long as it
  // makes no profiler.
  static void* operator new(size_t bytes) noexcept { return __builtin_malloc(bytes); }
  static void operator delete(void* p) { __builtin_free(p); }

  uint16_t mBins[kNumBins] = {};
};

template <typename T_COROUTINE>
constexpr uint8_t LogBinProfilerTemplate<T_COROUTINE>::kNumBins;

/// The profiler of a program's coroutines.
using LogBinProfiler = LogBinProfilerTemplate<Coroutine>;

namespace internal {

/// Copies the bins from `startBin` up to, but not including, `endBin`. The bins outside are added
/// to the first and the last copied bin. Sums saturate.
inline void rollupExteriorBins(uint16_t dest[], const uint16_t src[], uint8_t numBins, uint8_t startBin,
                               uint8_t endBin) {
  if (startBin >= endBin) return;
  for (uint8_t i = startBin; i < endBin; ++i) dest[i] = 0;
  for (uint8_t i = 0; i < numBins; ++i) {
    uint8_t to = i < startBin ? startBin : i < endBin ? i : static_cast<uint8_t>(endBin - 1);
    uint16_t sum = static_cast<uint16_t>(dest[to] + src[i]);
    dest[to] = sum < src[i] ? UINT16_MAX : sum;
  }
}

/// The bins that a renderer prints, for one profiler after the other.
struct ShownBins {
  ShownBins(uint8_t startBin, uint8_t endBin, bool rollup)
      : start(startBin), end(endBin > baton::log_bins::count ? baton::log_bins::count : endBin), rolledUp(rollup) {}

  /// Copies the bins of a profiler, and clears the profiler if `clear` is set.
  template <typename Profiler>
  void take(Profiler& profiler, bool clear) {
    if (rolledUp) {
      rollupExteriorBins(bins, profiler.mBins, baton::log_bins::count, start, end);
    } else {
      for (uint8_t i = start; i < end; ++i) bins[i] = profiler.mBins[i];
    }
    if (clear) profiler.clear();
  }

  uint8_t start;
  uint8_t end;
  bool rolledUp;
  uint16_t bins[baton::log_bins::count];
};

}  // namespace internal
}  // namespace ace_routine
