// SPDX-License-Identifier: MIT
//
// A coroutine switches a light; loop() itself runs it.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work;

COROUTINE(a) {
  COROUTINE_LOOP() {
    digitalWrite(LED_BUILTIN, HIGH);
    COROUTINE_DELAY(100);
    digitalWrite(LED_BUILTIN, LOW);
    COROUTINE_DELAY(500);
  }
}

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
  pinMode(LED_BUILTIN, OUTPUT);
}

void loop() {
  a.runCoroutine();
}
