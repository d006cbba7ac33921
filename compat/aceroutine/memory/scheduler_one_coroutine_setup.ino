// SPDX-License-Identifier: MIT
//
// The scheduler, and one coroutine that setupCoroutines() sets up.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work;

struct Type1 : Coroutine {
  int runCoroutine() override {
    COROUTINE_LOOP() {
      work = 1;
      COROUTINE_DELAY(10);
    }
  }
  void setupCoroutine() override { work = 1; }
};
Type1 a;

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
  CoroutineScheduler::setup();
  CoroutineScheduler::setupCoroutines();
}

void loop() {
  CoroutineScheduler::loop();
}
