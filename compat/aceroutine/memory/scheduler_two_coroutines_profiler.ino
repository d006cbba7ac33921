// SPDX-License-Identifier: MIT
//
// The scheduler and two coroutines, as if there were profilers.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work;

COROUTINE(a) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY(10);
  }
}

COROUTINE(b) {
  COROUTINE_LOOP() {
    work = 2;
    COROUTINE_DELAY(10);
  }
}

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loopWithProfiler();
}
