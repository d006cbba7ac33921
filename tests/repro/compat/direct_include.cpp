// SPDX-License-Identifier: MIT
// The headers that libraries include one by one lack the macros.
// Issue: Devices.
#include <Arduino.h>
#include <ace_routine/Channel.h>
#include <ace_routine/Coroutine.h>
#include <ace_routine/CoroutineScheduler.h>

ace_routine::Channel<int> numbers;

COROUTINE(part) {
  static int x;
  COROUTINE_LOOP() {
    COROUTINE_CHANNEL_READ(numbers, x);
    COROUTINE_DELAY(10);
  }
}
