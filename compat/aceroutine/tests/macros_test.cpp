// SPDX-License-Identifier: MIT
#include "elsewhere.hpp"

// The macros as programs use them.

EXTERN_COROUTINE(elsewhere);
EXTERN_COROUTINE(Elsewhere, of_class);
EXTERN_COROUTINE(part);

namespace {

baton::test::text_sink<64> ran;

void start_over() {
  ran = baton::test::text_sink<64>{};
}

}  // namespace

using ace_routine::testing::TestableCoroutine;
using ace_routine::testing::TestableCoroutineScheduler;

COROUTINE(TestableCoroutine, tested) {
  COROUTINE_LOOP() {
    ran.put('t');
    COROUTINE_DELAY(3);
  }
}

TEST_CASE("the testing headers: a coroutine, its scheduler and the clock that a test sets") {
  start_over();
  TestableClockInterface::setMillis(7);
  TestableCoroutineScheduler::setup();
  TestableCoroutineScheduler::loop();
  TestableCoroutineScheduler::loop();
  CHECK_TEXT(ran, "t");
  TestableClockInterface::setMillis(10);
  TestableCoroutineScheduler::loop();
  CHECK_TEXT(ran, "tt");
}

TEST_CASE("EXTERN_COROUTINE declares what another file defines, with and without a class") {
  start_over();
  elsewhere_ran = 0;
  elsewhere.reset();
  CoroutineScheduler::setup();
  for (uint8_t i = 0; i < 4; ++i) CoroutineScheduler::loop();
  CHECK(elsewhere_ran >= 1);
  of_class.step = 5;
  of_class.counted = 0;
  of_class.runCoroutine();
  of_class.runCoroutine();
  CHECK_EQ(of_class.counted, 10);
  Coroutine& as_coroutine = elsewhere;
  Elsewhere& as_class = of_class;
  CHECK(!as_coroutine.isDone());
  CHECK(!as_class.isDone());
}

TEST_CASE("a file may include the headers one by one") {
  CHECK(!part.isDone());
  part.runCoroutine();
  part_numbers.setValue(6);
  for (uint8_t i = 0; i < 3; ++i) {
    part.runCoroutine();
    part_numbers.write();
  }
  CHECK_EQ(part_got, 6);
}

using Choice = in_list<1>;
COROUTINE(Choice, chooses) {
  static uint8_t which;
  COROUTINE_LOOP() {
    for (which = 0; which < 3; ++which) {
      switch (which) {
        case 0:
          ran.put('0');
          COROUTINE_YIELD();
          ran.put('a');
          break;
        case 1:
          COROUTINE_DELAY(0);
          ran.put('b');
          break;
        default:
          COROUTINE_AWAIT(true);
          ran.put('c');
      }
    }
  }
}

TEST_CASE("a wait point may stand within a switch of the body's own") {
  start_over();
  visit<Choice>(5);
  CHECK_TEXT(ran, "0abc0a");
}

using Line = in_list<2>;
COROUTINE(Line, in_a_line) {
  COROUTINE_BEGIN();
  // clang-format off
  ran.put('1'); COROUTINE_YIELD(); ran.put('2'); COROUTINE_YIELD(); ran.put('3'); COROUTINE_DELAY(0); ran.put('4');
  // clang-format on
  COROUTINE_END();
}

TEST_CASE("several wait points may stand in one line") {
  start_over();
  for (uint8_t i = 0; i < 6; ++i) visit<Line>();
  CHECK_TEXT(ran, "1234");
  CHECK(in_a_line.isTerminated());
}

using Early = in_list<3>;
COROUTINE(Early, ends_early) {
  static uint8_t round;
  COROUTINE_BEGIN();
  for (round = 0;; ++round) {
    ran.put('r');
    if (round == 2) COROUTINE_END();
    COROUTINE_YIELD();
  }
}

TEST_CASE("a body may end in the middle of itself") {
  start_over();
  visit<Early>(6);
  CHECK_TEXT(ran, "rrr");
  CHECK(ends_early.isTerminated());
}

using Members = in_list<4>;
namespace {

struct counts_down : Members {
  explicit counts_down(uint8_t from) : left(from) {}
  int runCoroutine() override {
    COROUTINE_BEGIN();
    while (left) {
      ran.put(static_cast<char>('0' + left));
      --left;
      COROUTINE_YIELD();
    }
    COROUTINE_END();
  }

  uint8_t left;
};
counts_down from_two(2), from_three(3);

}  // namespace

TEST_CASE("two objects of one class go on each where it was") {
  start_over();
  visit<Members>(10);
  CHECK_TEXT(ran, "32211");
  CHECK(from_two.isTerminated());
  CHECK(from_three.isTerminated());
}

// A class of a program with AceRoutine's interface for subclasses, and a wait macro over it.
using Beneath = in_list<5>;
#define COROUTINE_WAIT_UNTIL_FULL(level) \
  do {                                   \
    this->setYielding();                 \
    do {                                 \
      COROUTINE_YIELD_INTERNAL();        \
    } while ((level) < 3);               \
    this->setRunning();                  \
  } while (false)

enum class Status : uint8_t { kIdle, kBusy };  // a program's own type of this name

namespace {

struct Tank : Beneath {  // NOLINT(readability-identifier-naming): sketches name classes like this
  int runCoroutine() override {
    COROUTINE_BEGIN();
    status = ::Status::kBusy;
    COROUTINE_WAIT_UNTIL_FULL(level);
    ran.put('f');
    waitAgain(7);
    COROUTINE_YIELD_INTERNAL();
    ran.put(isDelayExpired() ? 'e' : 'w');
    setEnding();
    return 0;
  }
  void waitAgain(uint16_t count) {
    setDelayMillis(count);
    setDelaying();
    CHECK_EQ(mDelayStart, 100);
    CHECK_EQ(mDelayDuration, count);
  }
  Beneath::Status number() const { return getStatus(); }
  bool hasName() const { return mName != nullptr; }
  bool hasBegun() const { return getJump() != nullptr; }

  uint8_t level = 0;
  ::Status status = ::Status::kIdle;
};
Tank tank;

}  // namespace

TEST_CASE("a subclass has the interface that is meant for it, and can make wait macros of its own") {
  start_over();
  TestableClockInterface::setMillis(100);
  CHECK(!tank.hasName());
  CHECK(!tank.hasBegun());
  visit<Beneath>(3);
  CHECK(tank.status == ::Status::kBusy);
  CHECK(tank.hasBegun());
  CHECK_EQ(tank.number(), Beneath::kStatusYielding);
  tank.level = 3;
  visit<Beneath>();
  CHECK_TEXT(ran, "f");
  CHECK_EQ(tank.number(), Beneath::kStatusDelaying);
  TestableClockInterface::setMillis(107);
  visit<Beneath>();
  CHECK_TEXT(ran, "fe");
  CHECK(tank.isEnding());
}

namespace {

struct Times : in_list<6> {  // NOLINT(readability-identifier-naming): sketches name classes like this
  int runCoroutine() override { return 0; }
  static unsigned long all() { return coroutineMillis() + coroutineMicros() + coroutineSeconds(); }
  void delays() {
    setDelayMicros(3);
    CHECK_EQ(mDelayStart, 20);
    CHECK(!isDelayMicrosExpired());
    setDelaySeconds(4);
    CHECK_EQ(mDelayStart, 1);
    CHECK(!isDelaySecondsExpired());
  }
  void passes() {
    setJump(nullptr);
    setTerminated();
    setRunning();
    setYielding();
  }
};
Times times;

}  // namespace

TEST_CASE("a subclass reads the three clocks, and begins the three kinds of delay") {
  TestableClockInterface::setMillis(300);
  TestableClockInterface::setMicros(20);
  TestableClockInterface::setSeconds(1);
  CHECK_EQ(Times::all(), 321);
  times.delays();
  times.passes();
  CHECK(times.isYielding());
}

TEST_CASE("the setupCoroutine() that is deprecated takes a name of either kind, and does nothing") {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  tested.setupCoroutine("tested");
  tested.setupCoroutine(F("tested"));
#pragma GCC diagnostic pop
  CHECK(!tested.getCName());
}

TEST_CASE("the version is a number and a string of the same") {
  CHECK_EQ(ACE_ROUTINE_VERSION, 10501);
  CHECK(sizeof(ACE_ROUTINE_VERSION_STRING) == sizeof("1.5.1"));
}

TEST_CASE("the sizes on a machine whose pointers have two bytes") {
  if (sizeof(void*) != 2) return;
  CHECK_EQ(sizeof(Coroutine), 16);
  CHECK(sizeof(Channel<int>) <= 5);
  CHECK_EQ(sizeof(LogBinProfiler), 66);
}
