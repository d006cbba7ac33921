// SPDX-License-Identifier: MIT
//
// One coroutine greets once, and one goes on for ever.
#include <AceRoutine.h>
using namespace ace_routine;

COROUTINE(ticks) {
  static uint8_t count;
  COROUTINE_LOOP() {
    COROUTINE_DELAY(100);
    Serial.print(F("tick "));
    Serial.println(++count);
  }
}

COROUTINE(greets) {
  COROUTINE_BEGIN();
  Serial.print(F("Hello, "));
  COROUTINE_DELAY(250);
  Serial.println(F("World!"));
  COROUTINE_END();
}

void setup() {
  Serial.begin(115200);
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}
