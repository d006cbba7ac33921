// SPDX-License-Identifier: MIT
// setupCoroutine(), which AceRoutine deprecates and still has, is missing.
// Issue: Devices.
#include "sketch.hpp"

COROUTINE(idle) {
  COROUTINE_LOOP() {
    COROUTINE_YIELD();
  }
}

void setup() {
  idle.setupCoroutine(F("idle"));
}
