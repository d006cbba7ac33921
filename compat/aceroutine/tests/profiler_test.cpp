// SPDX-License-Identifier: MIT
#include "support.hpp"

// Profilers, and the output of the two renderers.

using Profiled = in_list<1>;
using Profiler = LogBinProfilerTemplate<Profiled>;
using Table = LogBinTableRendererTemplate<Profiled>;
using Json = LogBinJsonRendererTemplate<Profiled>;

namespace {

uint32_t now_us;

void take(uint32_t us) {
  now_us += us;
  TestableClockInterface::setMicros(now_us);
}

}  // namespace

COROUTINE(Profiled, without) {
  COROUTINE_LOOP() {
    take(5);
    COROUTINE_YIELD();
  }
}
COROUTINE(Profiled, slow) {
  COROUTINE_LOOP() {
    take(3000);
    COROUTINE_YIELD();
  }
}
COROUTINE(Profiled, quick) {
  COROUTINE_LOOP() {
    take(9);
    COROUTINE_YIELD();
  }
}

namespace {

Profiler of_slow, of_quick;

void attach() {
  of_slow.clear();
  of_quick.clear();
  slow.setProfiler(&of_slow);
  slow.setName(F("aVeryLongName"));
  quick.setProfiler(&of_quick);
  quick.setName("quick");
  without.setProfiler(nullptr);
}

uint8_t bin_of(uint32_t us) {
  Profiler one;
  one.updateElapsedMicros(us);
  for (uint8_t i = 0; i < Profiler::kNumBins; ++i) {
    if (one.mBins[i]) return i;
  }
  return 255;
}

}  // namespace

TEST_CASE("bins double from 2 us, and their edges are exact") {
  CHECK_EQ(Profiler::kNumBins, 32);
  CHECK_EQ(bin_of(0), 0);
  CHECK_EQ(bin_of(1), 0);
  for (uint8_t i = 1; i < 32; ++i) {
    uint32_t edge = 1UL << i;
    CHECK_WITH(bin_of(edge - 1) == i - 1, i);
    CHECK_WITH(bin_of(edge) == i, i);
  }
  CHECK_EQ(bin_of(0xffffffffUL), 31);
}

TEST_CASE("a full bin stays at 65535, and clear() empties all") {
  Profiler one;
  one.mBins[3] = 65534;
  one.updateElapsedMicros(8);
  one.updateElapsedMicros(8);
  CHECK_EQ(one.mBins[3], 65535);
  one.updateElapsedMicros(2);
  CHECK_EQ(one.mBins[1], 1);
  one.clear();
  CHECK_EQ(one.mBins[3], 0);
  CHECK_EQ(one.mBins[1], 0);
}

TEST_CASE("loopWithProfiler() times the steps of who has a profiler, loop() those of nobody") {
  attach();
  scheduler_of<Profiled>::setup();
  for (uint8_t i = 0; i < 6; ++i) scheduler_of<Profiled>::loopWithProfiler();
  CHECK_EQ(of_quick.mBins[3], 2);  // 9 us
  CHECK_EQ(of_slow.mBins[11], 2);  // 3000 us
  visit<Profiled>(6);
  CHECK_EQ(of_quick.mBins[3], 2);
  quick.runCoroutineWithProfiler();
  CHECK_EQ(of_quick.mBins[3], 3);
  without.runCoroutineWithProfiler();
  CHECK(without.getProfiler() == nullptr);
  CHECK(quick.getProfiler() == &of_quick);
}

TEST_CASE("a step is timed across a wrap of the clock") {
  attach();
  now_us = 0xfffffffcUL;
  TestableClockInterface::setMicros(now_us);
  quick.runCoroutineWithProfiler();
  CHECK_EQ(of_quick.mBins[3], 1);
}

TEST_CASE("the table: a name cut or padded to 12, cells of 6, the outermost bins added up, the last headed by >>") {
  attach();
  of_quick.mBins[0] = 1540;
  of_quick.mBins[2] = 7;
  of_slow.mBins[11] = 65535;
  of_slow.mBins[20] = 4;
  printed<320> out;
  Table::printTo(out, 2, 13, false);
  CHECK_PRINTED(out,
                "name          <8us <16us <32us <64us<128us<256us<512us  <1ms  <2ms  <4ms    >>\r\n"
                "quick         1547     0     0     0     0     0     0     0     0     0     0\r\n"
                "aVeryLongNam     0     0     0     0     0     0     0     0     0 65535     4\r\n");
}

TEST_CASE("the table: by itself from the third bin to the thirteenth, and then they are cleared") {
  attach();
  of_quick.mBins[1] = 3;
  of_slow.mBins[31] = 65535;
  of_slow.mBins[30] = 65535;
  printed<320> out;
  Table::printTo(out);
  CHECK_PRINTED(out,
                "name          <8us <16us <32us <64us<128us<256us<512us  <1ms  <2ms  <4ms    >>\r\n"
                "quick            3     0     0     0     0     0     0     0     0     0     0\r\n"
                "aVeryLongNam     0     0     0     0     0     0     0     0     0     0 65535\r\n");
  CHECK_EQ(of_quick.mBins[1], 0);
  CHECK_EQ(of_slow.mBins[31], 0);
}

TEST_CASE("the table: without adding up, each bin under its own head") {
  attach();
  of_quick.mBins[0] = 1;
  of_quick.mBins[29] = 2;
  of_quick.mBins[31] = 5;
  printed<160> out;
  slow.setProfiler(nullptr);
  Table::printTo(out, 29, 31, false, false);
  Table::printTo(out, 29, 99, false, false);  // there are only 32 bins
  CHECK_PRINTED(out,
                "name        <1074s<2147s\r\nquick            2     0\r\n"
                "name        <1074s<2147s<4295s\r\nquick            2     0     5\r\n");
}

TEST_CASE("the JSON: an object with an array each, one a line, all 32 bins by itself") {
  attach();
  of_quick.mBins[0] = 1540;
  of_quick.mBins[31] = 2;
  of_slow.mBins[4] = 1;
  printed<256> out;
  Json::printTo(out);
  CHECK_PRINTED(out,
                "{\r\n"
                "\"quick\":[1540,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2],\r\n"
                "\"aVeryLongName\":[0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]\r\n"
                "}\r\n");
  CHECK_EQ(of_quick.mBins[0], 0);
}

TEST_CASE("the JSON: a range, with what lies outside added to it or not") {
  attach();
  of_quick.mBins[0] = 3;
  of_quick.mBins[2] = 1;
  of_quick.mBins[9] = 2;
  slow.setProfiler(nullptr);
  printed<96> out;
  Json::printTo(out, 2, 5, false);
  Json::printTo(out, 2, 5, true, false);
  Json::printTo(out, 2, 5);
  CHECK_PRINTED(out, "{\r\n\"quick\":[4,0,2]\r\n}\r\n{\r\n\"quick\":[1,0,0]\r\n}\r\n{\r\n\"quick\":[0,0,0]\r\n}\r\n");
}

TEST_CASE("without a profiler there is nothing but the frame") {
  attach();
  slow.setProfiler(nullptr);
  quick.setProfiler(nullptr);
  printed<64> out;
  Table::printTo(out, 3, 5);
  Json::printTo(out);
  CHECK_PRINTED(out, "name         <16us    >>\r\n{\r\n}\r\n");
}

TEST_CASE("rollupExteriorBins() adds what lies outside to the outermost two, and stops at 65535") {
  const uint16_t from[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint16_t to[8] = {};
  ace_routine::internal::rollupExteriorBins(to, from, 8, 2, 5);
  CHECK_EQ(to[2], 6);
  CHECK_EQ(to[3], 4);
  CHECK_EQ(to[4], 26);
  const uint16_t full[4] = {65535, 1, 65535, 65535};
  ace_routine::internal::rollupExteriorBins(to, full, 4, 1, 3);
  CHECK_EQ(to[1], 65535);
  CHECK_EQ(to[2], 65535);
  ace_routine::internal::rollupExteriorBins(to, from, 8, 0, 8);
  for (uint8_t i = 0; i < 8; ++i) CHECK_EQ(to[i], i + 1);
  ace_routine::internal::rollupExteriorBins(to, from, 8, 3, 4);
  CHECK_EQ(to[3], 36);
}
