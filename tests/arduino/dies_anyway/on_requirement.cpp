// SPDX-License-Identifier: MIT
#include <Arduino.h>

extern "C" void baton_require_failed(uint16_t id) {
  Serial.print(F("requirement "));
  Serial.println(id);
  Serial.flush();
  for (;;) {
  }
}
