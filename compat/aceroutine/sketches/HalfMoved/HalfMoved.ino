// SPDX-License-Identifier: MIT
//
// A sketch between the two APIs: one coroutine uses Baton's own API, the other AceRoutine's, and
// both run.
#include <AceRoutine.h>
using namespace ace_routine;

COROUTINE(oldBlink) {
  COROUTINE_LOOP() {
    Serial.println(F("old on"));
    COROUTINE_DELAY(200);
    Serial.println(F("old off"));
    COROUTINE_DELAY(300);
  }
}

struct new_blink : baton::coroutine<new_blink, baton::timed> {  // `timed` adds delays
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      Serial.println(F("new on"));
      BATON_DELAY_MS(230);
      Serial.println(F("new off"));
      BATON_DELAY_MS(330);
    }
    BATON_END();
  }
};

new_blink newBlink;

void setup() {
  Serial.begin(115200);
  newBlink.start();
}

void loop() {
  CoroutineScheduler::loop();
  baton::scheduler::run_until_idle();
}
