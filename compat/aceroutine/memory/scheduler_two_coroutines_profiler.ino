// SPDX-License-Identifier: MIT
//
// The scheduler and two coroutines, run as if they had profilers.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work = 0;

struct MyCoroutineA : Coroutine {
  int runCoroutine() override {
    COROUTINE_LOOP() {
      work = 1;
      COROUTINE_DELAY(10);
    }
  }
};
MyCoroutineA a;

struct MyCoroutineB : Coroutine {
  int runCoroutine() override {
    COROUTINE_LOOP() {
      work = 1;
      COROUTINE_DELAY(10);
    }
  }
};
MyCoroutineB b;

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loopWithProfiler();
}
