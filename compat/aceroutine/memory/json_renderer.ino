// SPDX-License-Identifier: MIT
//
// The scheduler and a coroutine with a profiler, whose histogram is printed as JSON.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work = 0;

COROUTINE(profiled) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY(10);
  }
}

LogBinProfiler profiler;

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
  CoroutineScheduler::setup();
  profiled.setProfiler(&profiler);
}

void loop() {
  CoroutineScheduler::loopWithProfiler();
  LogBinJsonRenderer::printTo(Serial, 0, 32);
}
