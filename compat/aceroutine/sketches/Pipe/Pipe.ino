// SPDX-License-Identifier: MIT
//
// A writer and a reader: the writer goes on when the reader has taken its value.
#include <AceRoutine.h>
using namespace ace_routine;

struct Reading {
  uint8_t number;
  int16_t value;
};

Channel<Reading> readings;

COROUTINE(measures) {
  static Reading reading;
  COROUTINE_BEGIN();
  for (reading.number = 1; reading.number <= 4; ++reading.number) {
    COROUTINE_DELAY(20);
    reading.value = static_cast<int16_t>(reading.number * -100);
    Serial.print(F("measured "));
    Serial.println(reading.number);
    COROUTINE_CHANNEL_WRITE(readings, reading);
  }
  Serial.println(F("no more"));
  COROUTINE_END();
}

COROUTINE(prints) {
  static Reading reading;
  COROUTINE_LOOP() {
    COROUTINE_CHANNEL_READ(readings, reading);
    Serial.print(F("  got "));
    Serial.print(reading.number);
    Serial.print(F(": "));
    Serial.println(reading.value);
  }
}

void setup() {
  Serial.begin(115200);
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}
