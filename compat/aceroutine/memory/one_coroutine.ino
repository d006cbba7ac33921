// SPDX-License-Identifier: MIT
//
// One coroutine with a delay in millis, run by loop() itself.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work;

COROUTINE(a) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY(10);
  }
}

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
}

void loop() {
  a.runCoroutine();
}
