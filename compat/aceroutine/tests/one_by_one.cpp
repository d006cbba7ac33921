// SPDX-License-Identifier: MIT
// A part of a program that includes the headers it needs, and not <AceRoutine.h>.
#include <Arduino.h>
#include <ace_routine/Channel.h>
#include <ace_routine/Coroutine.h>
#include <ace_routine/CoroutineScheduler.h>

ace_routine::Channel<int> part_numbers;
int part_got;

COROUTINE(part) {
  COROUTINE_LOOP() {
    COROUTINE_CHANNEL_READ(part_numbers, part_got);
    COROUTINE_DELAY(10);
  }
}
