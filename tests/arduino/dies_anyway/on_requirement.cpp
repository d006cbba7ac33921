// SPDX-License-Identifier: MIT
#include <Arduino.h>

extern "C" void baton_destroyed(const void*, const char* destructor) {
  Serial.println(destructor);
}

extern "C" void baton_require_failed(uint16_t id) {
  Serial.print(F("requirement "));
  Serial.println(id);
  Serial.flush();
  for (;;) {
  }
}
