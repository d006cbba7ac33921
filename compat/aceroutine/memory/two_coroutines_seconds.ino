// SPDX-License-Identifier: MIT
//
// Two coroutines with a delay in seconds, run by loop() itself.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work = 0;

COROUTINE(a) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY_SECONDS(10);
  }
}

COROUTINE(b) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY_SECONDS(10);
  }
}

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
}

void loop() {
  a.runCoroutine();
  b.runCoroutine();
}
