// SPDX-License-Identifier: MIT
#include <baton/test/text.hpp>
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

/// Each step takes `us` microseconds.
struct taking : coroutine<taking> {
  explicit taking(uint32_t time_us) : us(time_us) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      sim::advance(microseconds(us));
      BATON_YIELD();
    }
    BATON_END();
  }
  uint32_t us;
};

uint8_t bin_of(uint32_t ticks) {
  log_bins bins;
  bins.record(ticks);
  for (uint8_t i = 0; i < log_bins::count; ++i) {
    if (bins.bin[i]) return i;
  }
  return 255;
}

}  // namespace

TEST_CASE("bins double from 2 us, and their edges are exact") {
  CHECK_EQ(bin_of(0), 0);
  CHECK_EQ(bin_of(1), 0);
  for (uint8_t i = 1; i < 32; ++i) {
    uint32_t edge = static_cast<uint32_t>(port::profile_ticks_per_us) << i;
    CHECK_WITH(bin_of(edge - 1) == i - 1, i);
    CHECK_WITH(bin_of(edge) == i, i);
    CHECK_WITH(bin_of(edge + 1) == i, i);
  }
  CHECK_EQ(bin_of(UINT32_MAX), 31);
}

TEST_CASE("short clocks find the same bins") {
  for (uint16_t ticks = 0; ticks < 256; ++ticks) {
    log_bins narrow, wide;
    narrow.record(static_cast<uint8_t>(ticks));
    wide.record(ticks);
    CHECK_WITH(narrow.bin[bin_of(ticks)] == 1 && wide.bin[bin_of(ticks)] == 1, ticks);
  }
  log_bins bins;
  bins.record(static_cast<uint16_t>(65535));
  CHECK_EQ(bins.bin[bin_of(65535)], 1);
}

TEST_CASE("a full bin stays at 65535, and the others go on counting") {
  log_bins bins;
  bins.bin[3] = 65533;
  for (uint8_t i = 0; i < 5; ++i) bins.record(static_cast<uint16_t>(9));
  CHECK_EQ(bins.bin[3], 65535);
  bins.record(static_cast<uint16_t>(1));
  CHECK_EQ(bins.bin[0], 1);
  CHECK_EQ(bins.bin[4], 0);
  bins.clear();
  CHECK_EQ(bins.bin[3], 0);
}

TEST_CASE("each step of a profiled coroutine is counted, directly and through the scheduler, while bins are attached") {
  profiled<taking> a(100);
  log_bins bins;
  a.attach(bins);
  a.start();
  scheduler::run_for(3);
  CHECK_EQ(bins.bin[bin_of(100)], 3);
  a.direct_resume();
  CHECK_EQ(bins.bin[bin_of(100)], 4);
  a.detach();
  scheduler::run_for(3);
  a.direct_resume();
  CHECK_EQ(bins.bin[bin_of(100)], 4);
  a.attach(bins);
  a.us = 5000;
  scheduler::run_for(2);
  CHECK_EQ(bins.bin[bin_of(5000)], 2);
}

TEST_CASE("the 16-bit clock counts a step beyond its range too short, the 32-bit one does not") {
  profiled<taking> a(70000);
  profiled<taking, profile_clock32> b(70000);
  log_bins of_a, of_b;
  a.attach(of_a);
  b.attach(of_b);
  a.start();
  b.start();
  scheduler::run_for(2);
  CHECK_EQ(of_a.bin[bin_of(70000 - 65536)], 1);
  CHECK_EQ(of_b.bin[bin_of(70000)], 1);
}

TEST_CASE("the table has the layout that its users know") {
  profile reads(BATON_TEXT("readPin"));
  profile other(BATON_TEXT("aNameThatIsTooLong"));
  profile nameless;
  for (uint16_t i = 0; i < 1540; ++i) reads.record(static_cast<uint16_t>(1));
  reads.record(static_cast<uint16_t>(9));
  other.bin[12] = 3;
  other.bin[31] = 4;
  other.bin[4] = 65535;
  const profile* all[] = {&reads, &other, &nameless};
  test::text_sink<400> sink;
  print_profile_table(sink, all, 3);
  CHECK_TEXT(sink,
             "name          <8us <16us <32us <64us<128us<256us<512us  <1ms  <2ms  <4ms    >>\r\n"
             "readPin       1540     1     0     0     0     0     0     0     0     0     0\r\n"
             "aNameThatIsT     0     0 65535     0     0     0     0     0     0     0     7\r\n"
             "                 0     0     0     0     0     0     0     0     0     0     0\r\n");
}

TEST_CASE("the table rolls up what lies outside its range, and saturates") {
  profile p(BATON_TEXT("p"));
  for (uint16_t& b : p.bin) b = 1;
  p.bin[30] = 65535;
  const profile* all[] = {&p};
  test::text_sink<400> sink;
  print_profile_table(sink, all, 1, {1, 3});
  print_profile_table(sink, all, 1, {30, 31});
  CHECK_TEXT(sink,
             "name          <4us  <8us    >>\r\n"
             "p                2     1 65535\r\n"
             "name        <2147s<4295s\r\n"
             "p            65535     1\r\n");
}

TEST_CASE("JSON has one coroutine a line") {
  profile reads(BATON_TEXT("readPin"));
  profile other(BATON_TEXT("blink"));
  for (uint16_t i = 0; i < 1540; ++i) reads.record(static_cast<uint16_t>(1));
  reads.record(static_cast<uint16_t>(9));
  other.bin[31] = 65535;
  const profile* all[] = {&reads, &other};
  test::text_sink<400> sink;
  print_profile_json(sink, all, 2);
  print_profile_json(sink, all, 1, {0, 3});
  print_profile_json(sink, all, 0);
  CHECK_TEXT(sink,
             "{\r\n\"readPin\":[1540,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],\r\n"
             "\"blink\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,65535]\r\n}\r\n"
             "{\r\n\"readPin\":[1540,0,0,1]\r\n}\r\n"
             "{\r\n}\r\n");
}
