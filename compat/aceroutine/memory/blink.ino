// SPDX-License-Identifier: MIT
//
// One coroutine that blinks, on for 100 ms and off for 500 ms.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work = 0;

COROUTINE(blink) {
  COROUTINE_LOOP() {
    digitalWrite(LED_BUILTIN, HIGH);
    COROUTINE_DELAY(100);
    digitalWrite(LED_BUILTIN, LOW);
    COROUTINE_DELAY(500);
  }
}

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
}

void loop() {
  blink.runCoroutine();
}
