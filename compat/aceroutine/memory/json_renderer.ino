// SPDX-License-Identifier: MIT
//
// log_bin_profiler.ino, with a loop() that prints the histogram as JSON now and then.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work;

LogBinProfiler profiler;

COROUTINE(a) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY(10);
  }
}

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
  a.setProfiler(&profiler);
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loopWithProfiler();
  if (work == 2) LogBinJsonRenderer::printTo(Serial, 2, 13, false);
}
