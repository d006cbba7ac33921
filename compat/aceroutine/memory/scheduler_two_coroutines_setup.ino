// SPDX-License-Identifier: MIT
//
// The scheduler, and two coroutines that setupCoroutines() sets up.
// The second coroutine delays in seconds, as the published program does.
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
  void setupCoroutine() override { work = 1; }
};
MyCoroutineA a;

struct MyCoroutineB : Coroutine {
  int runCoroutine() override {
    COROUTINE_LOOP() {
      work = 1;
      COROUTINE_DELAY_SECONDS(10);
    }
  }
  void setupCoroutine() override { work = 1; }
};
MyCoroutineB b;

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
  CoroutineScheduler::setup();
  CoroutineScheduler::setupCoroutines();
}

void loop() {
  CoroutineScheduler::loop();
}
