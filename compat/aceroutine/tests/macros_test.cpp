// SPDX-License-Identifier: MIT
#include "elsewhere.hpp"

// The macros as programs use them.

EXTERN_COROUTINE(elsewhere);
EXTERN_COROUTINE(Elsewhere, of_class);

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
