// SPDX-License-Identifier: MIT
//
// Coroutines with names, and a list of their statuses.
#include <AceRoutine.h>
using namespace ace_routine;

COROUTINE(waits) {
  COROUTINE_LOOP() {
    COROUTINE_DELAY_SECONDS(30);
  }
}

COROUTINE(sleeps) {
  COROUTINE_LOOP() {
    COROUTINE_YIELD();
  }
}

COROUTINE(ends) {
  COROUTINE_BEGIN();
  COROUTINE_YIELD();
  COROUTINE_END();
}

COROUTINE(reports) {
  COROUTINE_BEGIN();
  CoroutineScheduler::list(Serial);
  COROUTINE_YIELD();
  sleeps.suspend();
  Serial.println(F("--"));
  CoroutineScheduler::list(Serial);
  COROUTINE_YIELD();
  Serial.println(F("--"));
  CoroutineScheduler::list(Serial);
  COROUTINE_YIELD();
  sleeps.resume();
  ends.reset();
  Serial.println(F("--"));
  CoroutineScheduler::list(Serial);
  COROUTINE_END();
}

void setup() {
  Serial.begin(115200);
  waits.setName(F("waits"));
  sleeps.setName(F("sleeps"));
  ends.setName("ends");
  reports.setName("reports");
  CoroutineScheduler::setupCoroutines();
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}
