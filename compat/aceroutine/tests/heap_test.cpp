// SPDX-License-Identifier: MIT
#include "support.hpp"

// Profilers on the heap, on targets with a heap.

using Profiled = in_list<1>;
using Profiler = LogBinProfilerTemplate<Profiled>;

COROUTINE(Profiled, other) {
  COROUTINE_LOOP() {
    COROUTINE_YIELD();
  }
}
COROUTINE(Profiled, slow) {
  COROUTINE_LOOP() {
    TestableClockInterface::setMicros(TestableClockInterface::micros() + 3000);
    COROUTINE_YIELD();
  }
}

TEST_CASE("createProfilers() gives one to each that has none, and deleteProfilers() takes all back") {
  Profiler::createProfilers();
  CHECK(slow.getProfiler() != nullptr);
  CHECK(other.getProfiler() != nullptr);
  CHECK(slow.getProfiler() != other.getProfiler());
  CoroutineProfiler* first = slow.getProfiler();
  Profiler::createProfilers();
  CHECK(slow.getProfiler() == first);
  slow.runCoroutineWithProfiler();
  CHECK_EQ(Profiler::of(slow)->mBins[11], 1);
  Profiler::clearProfilers();
  CHECK_EQ(Profiler::of(slow)->mBins[11], 0);
  Profiler::deleteProfilers();
  CHECK(slow.getProfiler() == nullptr);
  CHECK(other.getProfiler() == nullptr);
  Profiler::deleteProfilers();
}

TEST_CASE("where the heap is exhausted, a coroutine is left without a profiler") {
  if (sizeof(void*) != 2) return;  // a host's heap cannot be exhausted
  static Profiler* taken[40];
  uint8_t n = 0;
  while (n < 40 && (taken[n] = new Profiler) != nullptr) ++n;
  CHECK(n < 40);
  Profiler::createProfilers();
  CHECK(slow.getProfiler() == nullptr);
  while (n) Profiler::operator delete(taken[--n]);
  Profiler::createProfilers();
  CHECK(slow.getProfiler() != nullptr);
  Profiler::deleteProfilers();
}
