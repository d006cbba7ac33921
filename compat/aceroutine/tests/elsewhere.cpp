// SPDX-License-Identifier: MIT
#include "elsewhere.hpp"

uint8_t elsewhere_ran;

COROUTINE(elsewhere) {
  COROUTINE_LOOP() {
    ++elsewhere_ran;
    COROUTINE_YIELD();
  }
}

COROUTINE(Elsewhere, of_class) {
  COROUTINE_LOOP() {
    counted = static_cast<uint8_t>(counted + step);
    COROUTINE_YIELD();
  }
}
