// SPDX-License-Identifier: MIT
//
// Prints the durations of the steps of two coroutines, as a table and as JSON.
#include <AceRoutine.h>
using namespace ace_routine;

COROUTINE(readsPin) {
  static uint8_t steps;
  COROUTINE_BEGIN();
  for (steps = 1; steps < 25; ++steps) {
    delayMicroseconds(40);
    COROUTINE_YIELD();
  }
  delayMicroseconds(40);
  COROUTINE_END();
}

COROUTINE(blinks) {
  static uint8_t steps;
  COROUTINE_BEGIN();
  for (steps = 1; steps < 10; ++steps) {
    delayMicroseconds(300);
    COROUTINE_YIELD();
  }
  delayMicroseconds(700);
  COROUTINE_END();
}

COROUTINE(prints) {
  COROUTINE_BEGIN();
  COROUTINE_AWAIT(readsPin.isDone() && blinks.isDone());
  prints.setProfiler(nullptr);  // its figures would depend on the number of its visits
  LogBinTableRenderer::printTo(Serial, 2, 13, false);
  LogBinJsonRenderer::printTo(Serial, 4, 11);
  LogBinJsonRenderer::printTo(Serial, 4, 6);
  COROUTINE_END();
}

LogBinProfiler ofReadsPin;

void setup() {
  Serial.begin(115200);
  readsPin.setName(F("readsPin"));
  readsPin.setProfiler(&ofReadsPin);
  blinks.setName("blinksLikeALighthouse");
  blinks.setProfiler(new LogBinProfiler);
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loopWithProfiler();
}
