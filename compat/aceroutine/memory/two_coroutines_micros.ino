// SPDX-License-Identifier: MIT
//
// Two coroutines with a delay in micros, run by loop() itself.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work;

COROUTINE(a) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY_MICROS(10);
  }
}

COROUTINE(b) {
  COROUTINE_LOOP() {
    work = 2;
    COROUTINE_DELAY_MICROS(10);
  }
}

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
}

void loop() {
  a.runCoroutine();
  b.runCoroutine();
}
