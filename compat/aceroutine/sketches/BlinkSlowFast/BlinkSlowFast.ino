// SPDX-License-Identifier: MIT
//
// Two lights, each with its own period, without a scheduler: loop() itself runs both coroutines.
#include <AceRoutine.h>
using namespace ace_routine;

const uint8_t slow_led = LED_BUILTIN;
const uint8_t fast_led = 12;

COROUTINE(slow) {
  COROUTINE_LOOP() {
    digitalWrite(slow_led, HIGH);
    Serial.println(F("slow on"));
    COROUTINE_DELAY(330);
    digitalWrite(slow_led, LOW);
    Serial.println(F("slow off"));
    COROUTINE_DELAY(330);
  }
}

COROUTINE(fast) {
  COROUTINE_LOOP() {
    digitalWrite(fast_led, HIGH);
    Serial.println(F("  fast on"));
    COROUTINE_DELAY(100);
    digitalWrite(fast_led, LOW);
    Serial.println(F("  fast off"));
    COROUTINE_DELAY_MICROS(30000);
  }
}

void setup() {
  Serial.begin(115200);
  pinMode(slow_led, OUTPUT);
  pinMode(fast_led, OUTPUT);
}

void loop() {
  slow.runCoroutine();
  fast.runCoroutine();
}
