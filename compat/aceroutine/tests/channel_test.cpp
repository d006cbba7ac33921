// SPDX-License-Identifier: MIT
#include "support.hpp"

TEST_CASE("polled outside a coroutine, a channel goes false (read), false (write), true (read), true (write)") {
  Channel<int> channel;
  int got = 0;
  for (int i = 5; i < 8; ++i) {
    CHECK(!channel.read(got));
    CHECK(!channel.write(i));
    CHECK(channel.read(got));
    CHECK_EQ(got, i);
    CHECK(channel.write(i));
  }
}

TEST_CASE("a write before a read stores nothing, however often") {
  Channel<int> channel;
  int got = 0;
  CHECK(!channel.write(1));
  CHECK(!channel.write(2));
  CHECK(!channel.read(got));
  CHECK(!channel.read(got));
  CHECK(!channel.write(3));
  CHECK(!channel.write(4));  // the reader has not come yet, and the first offer stays
  CHECK(channel.read(got));
  CHECK_EQ(got, 3);
  CHECK(!channel.read(got));  // the next message begins after the writer knows that this one was taken
  CHECK(channel.write(3));
}

TEST_CASE("write() offers what setValue() has kept") {
  Channel<int> channel;
  int got = 0;
  channel.setValue(42);
  CHECK(!channel.write());
  CHECK(!channel.read(got));
  CHECK(!channel.write());
  CHECK(channel.read(got));
  CHECK_EQ(got, 42);
  CHECK(channel.write());
}

TEST_CASE("setValue() of the next value leaves the one that is on its way") {
  Channel<int> channel;
  int got = 0;
  CHECK(!channel.read(got));
  channel.setValue(1);
  CHECK(!channel.write());
  channel.setValue(2);
  CHECK(channel.read(got));
  CHECK_EQ(got, 1);
  CHECK(channel.write());
  CHECK(!channel.read(got));
  CHECK(!channel.write());
  CHECK(channel.read(got));
  CHECK_EQ(got, 2);
}

using Local = in_list<2>;
namespace {

Channel<int> numbers;
int produced;
baton::test::text_sink<64> printed_numbers;

}  // namespace

COROUTINE(Local, writes_local) {
  COROUTINE_LOOP() {
    int value;  // clang lets no jump pass an initializer
    value = ++produced;
    COROUTINE_CHANNEL_WRITE(numbers, value);
    COROUTINE_CHANNEL_WRITE(numbers, ++produced);
  }
}
COROUTINE(Local, reads_late) {
  static int value;
  COROUTINE_LOOP() {
    COROUTINE_DELAY(5);
    COROUTINE_CHANNEL_READ(numbers, value);
    printed_numbers.put(static_cast<char>('0' + value));
  }
}

namespace {

/// Other code of the program, which uses the stack.
BATON_NOINLINE void uses_the_stack() {
  volatile uint8_t all[64];
  for (volatile uint8_t& one : all) one = 0x55;
}

}  // namespace

TEST_CASE("COROUTINE_CHANNEL_WRITE takes its value once, at once: a local variable, an effect") {
  for (uint16_t now = 0; printed_numbers.used < 9 && now < 1000; ++now) {
    TestableClockInterface::setMillis(now);
    visit<Local>();
    uses_the_stack();
  }
  CHECK_TEXT(printed_numbers, "123456789");
}

using Pipe = in_list<1>;
namespace {
Channel<uint16_t> conveyor;
uint16_t sent, received, sum;
}  // namespace

COROUTINE(Pipe, writes) {
  COROUTINE_BEGIN();
  for (sent = 0; sent < 100; ++sent) {
    COROUTINE_CHANNEL_WRITE(conveyor, static_cast<uint16_t>(sent * 3));
  }
  COROUTINE_END();
}
COROUTINE(Pipe, reads) {
  static uint16_t value;
  COROUTINE_LOOP() {
    COROUTINE_CHANNEL_READ(conveyor, value);
    CHECK_EQ(value, received * 3);
    ++received;
    sum = static_cast<uint16_t>(sum + value);
  }
}

TEST_CASE("a writer and a reader exchange each value once, in order") {
  scheduler_of<Pipe>::setup();
  visit<Pipe>(2);
  CHECK_EQ(received, 0);  // both have yielded at least once
  for (uint16_t left = 2000; left && !writes.isTerminated(); --left) visit<Pipe>();
  CHECK(writes.isTerminated());
  CHECK_EQ(sent, 100);
  CHECK_EQ(received, 100);
  CHECK_EQ(sum, 99 * 50 * 3);
}

namespace {

struct word {
  uint8_t byte[6];
};

}  // namespace

TEST_CASE("a value may be of any type that can be copied") {
  Channel<word> channel;
  word got = {{0, 0, 0, 0, 0, 0}};
  CHECK(!channel.read(got));
  CHECK(!channel.write(word{{1, 2, 3, 4, 5, 6}}));
  CHECK(channel.read(got));
  for (uint8_t i = 0; i < 6; ++i) CHECK_EQ(got.byte[i], i + 1);
}
