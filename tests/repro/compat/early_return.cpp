// SPDX-License-Identifier: MIT
// A body that returns by itself before its first wait is never visited again; AceRoutine visits it
// at the next turn.
// Issue: Devices.
#include "sketch.hpp"

volatile bool is_enabled = false;

COROUTINE(worker) {
  COROUTINE_BEGIN();
  if (!is_enabled) return 0;
  Serial.println("ran");
  COROUTINE_DELAY(1);
  Serial.println("done");
  COROUTINE_END();
}

COROUTINE(enabler) {
  COROUTINE_BEGIN();
  COROUTINE_DELAY(5);
  is_enabled = true;
  COROUTINE_END();
}

void setup() {
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}

int main() {
  return run_sketch(50, "ran done ");
}
