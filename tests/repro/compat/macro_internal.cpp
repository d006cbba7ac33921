// SPDX-License-Identifier: MIT
// A sketch cannot build a wait macro of its own, because AceRoutine's building blocks are missing.
// Issue: Devices.
#include "sketch.hpp"

#define COROUTINE_WAIT_SERIAL(c)   \
  do {                             \
    this->setYielding();           \
    do {                           \
      COROUTINE_YIELD_INTERNAL();  \
    } while (!Serial.available()); \
    this->setRunning();            \
    c = Serial.read();             \
  } while (false)

COROUTINE(echo) {
  static int c;
  COROUTINE_LOOP() {
    COROUTINE_WAIT_SERIAL(c);
    Serial.println(c);
  }
}
