// SPDX-License-Identifier: MIT
//
// One coroutine with a delay in micros, run by loop() itself.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work = 0;

COROUTINE(a) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY_MICROS(10);
  }
}

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
}

void loop() {
  a.runCoroutine();
}
