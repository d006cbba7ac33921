// SPDX-License-Identifier: MIT
#include "support.hpp"

// Delays and conditions, with a clock that the test sets.

namespace {

uint16_t steps;
uint16_t tried;
uint16_t wanted;
bool is_open;

void start_over() {
  steps = tried = 0;
  is_open = false;
  TestableClockInterface::setMillis(0);
  TestableClockInterface::setMicros(0);
  TestableClockInterface::setSeconds(0);
}

}  // namespace

using Millis = in_list<1>;
COROUTINE(Millis, millis_counts) {
  COROUTINE_LOOP() {
    if (++steps > 10) COROUTINE_YIELD();  // without it, a delay that never waits would never return
    COROUTINE_DELAY(wanted);
  }
}

TEST_CASE("a delay goes on at the first visit at which its time is over") {
  start_over();
  wanted = 10;
  TestableClockInterface::setMillis(1000);
  visit<Millis>();
  CHECK(millis_counts.isDelaying());
  CHECK(!millis_counts.isDelayExpired());
  TestableClockInterface::setMillis(1009);
  visit<Millis>();
  CHECK_EQ(steps, 1);
  CHECK(millis_counts.isDelaying());
  TestableClockInterface::setMillis(1010);
  CHECK(millis_counts.isDelayExpired());
  visit<Millis>();
  CHECK_EQ(steps, 2);
  CHECK(millis_counts.isDelaying());
}

TEST_CASE("a delay yields at least once, also one of nothing") {
  start_over();
  millis_counts.reset();
  wanted = 0;
  for (uint8_t i = 1; i <= 3; ++i) {
    visit<Millis>();
    CHECK_EQ(steps, i);
  }
}

TEST_CASE("a delay longer than 32767 is cut to that, after it has lost the bits beyond 16") {
  const uint32_t lengths[] = {32767UL, 32768UL, 60000UL, 65535UL, 65536UL + 40000UL, 0xffffffffUL};
  for (uint32_t longer : lengths) {
    start_over();
    millis_counts.reset();
    wanted = static_cast<uint16_t>(longer);
    visit<Millis>();
    TestableClockInterface::setMillis(32766);
    visit<Millis>();
    CHECK_WITH(steps == 1, longer);
    TestableClockInterface::setMillis(32767);
    visit<Millis>();
    CHECK_WITH(steps == 2, longer);
  }
}

TEST_CASE("a delay is measured across the wraps of 16 and of 32 bits") {
  const uint32_t begins[] = {65530UL, 0xfffffff0UL};
  for (uint32_t begin : begins) {
    start_over();
    millis_counts.reset();
    wanted = 100;
    TestableClockInterface::setMillis(begin);
    visit<Millis>();
    TestableClockInterface::setMillis(static_cast<uint32_t>(begin + 99));
    visit<Millis>();
    CHECK_WITH(steps == 1, begin);
    TestableClockInterface::setMillis(static_cast<uint32_t>(begin + 100));
    visit<Millis>();
    CHECK_WITH(steps == 2, begin);
  }
}

TEST_CASE("a delay that is over counts as such for the rest of its clock's 16 bits, and then no more") {
  start_over();
  millis_counts.reset();
  wanted = 1000;
  visit<Millis>();
  TestableClockInterface::setMillis(65535);
  CHECK(millis_counts.isDelayExpired());
  TestableClockInterface::setMillis(65536);
  CHECK(!millis_counts.isDelayExpired());
}

TEST_CASE("a delay goes on while its coroutine is suspended, and is waited for after resume()") {
  start_over();
  millis_counts.reset();
  wanted = 10;
  visit<Millis>();
  millis_counts.suspend();
  TestableClockInterface::setMillis(50);
  visit<Millis>();
  CHECK_EQ(steps, 1);
  millis_counts.resume();
  TestableClockInterface::setMillis(9);
  visit<Millis>();
  CHECK_EQ(steps, 1);
  TestableClockInterface::setMillis(10);
  visit<Millis>();
  CHECK_EQ(steps, 2);
}

using Micros = in_list<2>;
COROUTINE(Micros, micros_counts) {
  COROUTINE_LOOP() {
    ++steps;
    COROUTINE_DELAY_MICROS(wanted);
  }
}

TEST_CASE("a delay in microseconds goes by micros(), and is cut to 32767 too") {
  const uint16_t lengths[] = {40000U, 200U};
  for (uint16_t longer : lengths) {
    uint16_t over = longer > 32767 ? 32767 : longer;
    start_over();
    micros_counts.reset();
    wanted = longer;
    visit<Micros>();
    TestableClockInterface::setMillis(40000);
    TestableClockInterface::setMicros(over - 1U);
    CHECK(!micros_counts.isDelayMicrosExpired());
    visit<Micros>();
    CHECK_WITH(steps == 1, longer);
    TestableClockInterface::setMicros(over);
    CHECK(micros_counts.isDelayMicrosExpired());
    visit<Micros>();
    CHECK_WITH(steps == 2, longer);
  }
}

using Seconds = in_list<3>;
COROUTINE(Seconds, seconds_counts) {
  COROUTINE_LOOP() {
    ++steps;
    COROUTINE_DELAY_SECONDS(wanted);
  }
}

TEST_CASE("a delay in seconds goes by seconds(), and is cut to 32767 too") {
  const uint16_t lengths[] = {40000U, 200U};
  for (uint16_t longer : lengths) {
    uint16_t over = longer > 32767 ? 32767 : longer;
    start_over();
    seconds_counts.reset();
    wanted = longer;
    visit<Seconds>();
    TestableClockInterface::setMillis(40000);
    TestableClockInterface::setSeconds(over - 1U);
    CHECK(!seconds_counts.isDelaySecondsExpired());
    visit<Seconds>();
    CHECK_WITH(steps == 1, longer);
    TestableClockInterface::setSeconds(over);
    CHECK(seconds_counts.isDelaySecondsExpired());
    visit<Seconds>();
    CHECK_WITH(steps == 2, longer);
  }
}

using Await = in_list<4>;
COROUTINE(Await, awaits) {
  COROUTINE_LOOP() {
    if (++steps > 10) COROUTINE_YIELD();  // without it, an await that never waits would never return
    COROUTINE_AWAIT((++tried, is_open));
  }
}

TEST_CASE("an await yields at least once, and each visit tries its condition once") {
  start_over();
  is_open = true;
  visit<Await>();
  CHECK_EQ(steps, 1);
  CHECK_EQ(tried, 0);
  CHECK(awaits.isYielding());
  is_open = false;
  visit<Await>(3);
  CHECK_EQ(steps, 1);
  CHECK_EQ(tried, 3);
  is_open = true;
  visit<Await>();
  CHECK_EQ(steps, 2);
  CHECK_EQ(tried, 4);
}

COROUTINE(real_clock) {
  COROUTINE_LOOP() {
    ++steps;
    COROUTINE_DELAY_SECONDS(2);
    ++steps;
    COROUTINE_DELAY(5);
    ++steps;
    COROUTINE_DELAY_MICROS(600);
  }
}

TEST_CASE("ClockInterface is Arduino's clock: its seconds, its milliseconds and its microseconds") {
  start_over();
  CoroutineScheduler::setup();
  CoroutineScheduler::loop();
  const baton::duration delays[] = {baton::seconds(2), baton::milliseconds(5), baton::microseconds(600)};
  for (uint8_t i = 0; i < 3; ++i) {
    baton::sim::advance(delays[i] - baton::microseconds(100));
    CoroutineScheduler::loop();
    CHECK_EQ(steps, i + 1);
    baton::sim::advance(baton::microseconds(100));
    CoroutineScheduler::loop();
    CHECK_EQ(steps, i + 2);
  }
  CHECK_EQ(ClockInterface::seconds(), 2);
  CHECK_EQ(ClockInterface::millis(), 2005);
  CHECK_EQ(ClockInterface::micros(), 2005600);
}
