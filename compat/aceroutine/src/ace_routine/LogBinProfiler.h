// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <baton/core/profiler.hpp>

#include <ace_routine/Coroutine.h>

namespace ace_routine {

/// Counts how long the steps of a coroutine took, in 32 bins that double from 2 us.
///
/// Shape    66 bytes on AVR. A static object and `setProfiler()`, or for all coroutines at once `createProfilers()`, on the heap.
/// Units    bin 0 counts steps shorter than 2 us, bin i those shorter than 2^(i+1) us and not shorter than 2^i.
/// Errors   a full bin stays at 65535. Where the heap is exhausted, a coroutine is left without a profiler.
template <typename T_COROUTINE>
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody destroys one by another type
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

  /// Gives a profiler to each coroutine that has none.
  static void createProfilers() {
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      if (!c->getProfiler()) c->setProfiler(new LogBinProfilerTemplate);
    }
  }

  /// Takes back what `createProfilers()` gave: every profiler must be from there.
  static void deleteProfilers() {
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      operator delete(of(*c));
      c->setProfiler(nullptr);
    }
  }

  /// Clears each profiler: every one must be of this type.
  static void clearProfilers() {
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      if (of(*c)) of(*c)->clear();
    }
  }

  /// The profiler of a coroutine, which must be of this type; null: it has none.
  static LogBinProfilerTemplate* of(const T_COROUTINE& c) {
    return static_cast<LogBinProfilerTemplate*>(c.getProfiler());
  }

  // One that may fail, so that `new` gives null where the Arduino core's own would be written to. A board without a C library
  // compiles this, too, as long as it makes none.
  static void* operator new(size_t bytes) noexcept { return __builtin_malloc(bytes); }
  static void operator delete(void* p) { __builtin_free(p); }

  uint16_t mBins[kNumBins] = {};
};

template <typename T_COROUTINE>
constexpr uint8_t LogBinProfilerTemplate<T_COROUTINE>::kNumBins;

/// The profiler of a program's coroutines.
using LogBinProfiler = LogBinProfilerTemplate<Coroutine>;

namespace internal {

/// Copies the bins from `startBin` up to `endBin`, which is not one of them; the outermost two take in what lies outside. Saturates.
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

/// The bins that a renderer prints, of one profiler after another.
struct ShownBins {
  ShownBins(uint8_t startBin, uint8_t endBin, bool rollup)
      : start(startBin), end(endBin > baton::log_bins::count ? baton::log_bins::count : endBin), rolledUp(rollup) {}

  /// Looks at a profiler, and clears it if `clear`.
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
