// SPDX-License-Identifier: MIT
#pragma once

#include <AceRoutine.h>
#include <baton/test/text.hpp>

#include <ace_routine/testing/TestableClockInterface.h>
#include <ace_routine/testing/TestableCoroutine.h>
#include <ace_routine/testing/TestableCoroutineScheduler.h>

// Common parts of the tests: coroutines with a clock that the test sets, in any number of lists,
// and their output.

using namespace ace_routine;
using ace_routine::testing::TestableClockInterface;

/// The clock of list `Number`: a clock type per list gives each list coroutine types of its own.
template <int Number>
struct clock_of_list : TestableClockInterface {};

template <int Number>
using in_list = CoroutineTemplate<clock_of_list<Number>, uint16_t>;

template <typename Coroutine>
using scheduler_of = CoroutineSchedulerTemplate<Coroutine>;

/// Calls `loop()` a number of times.
template <typename Coroutine>
void visit(uint8_t times = 1) {
  for (; times; --times) scheduler_of<Coroutine>::loop();
}

/// A Print that keeps the printed text.
template <uint16_t Bytes>
struct printed : Print {
  size_t write(uint8_t c) override {
    sink.put(static_cast<char>(c));
    return 1;
  }

  baton::test::text_sink<Bytes> sink;
};

#define CHECK_PRINTED(print, literal) CHECK_TEXT((print).sink, literal)
