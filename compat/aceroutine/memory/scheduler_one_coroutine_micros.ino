// SPDX-License-Identifier: MIT
//
// The scheduler and one coroutine with a delay in micros.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work = 0;

struct MyCoroutine : Coroutine {
  int runCoroutine() override {
    COROUTINE_LOOP() {
      work = 1;
      COROUTINE_DELAY_MICROS(10);
    }
  }
};
MyCoroutine a;

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}
