// SPDX-License-Identifier: MIT
// A body that polls by a return within COROUTINE_LOOP(), before its first wait, is never visited
// again.
// Issue: Devices.
#include "sketch.hpp"

COROUTINE(poller) {
  COROUTINE_LOOP() {
    if (millis() < 50) return 0;
    Serial.println("polled");
    COROUTINE_DELAY(500);
  }
}

void setup() {
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}

int main() {
  return run_sketch(1000, "polled polled ");
}
