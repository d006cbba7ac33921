// SPDX-License-Identifier: MIT
// COROUTINE_CHANNEL_WRITE evaluates its value at each visit; with AceRoutine it is evaluated once.
// Issue: Devices.
#include "sketch.hpp"

Channel<int> numbers;
int evaluated = 0;

int next() {
  return ++evaluated;
}

COROUTINE(writer) {
  COROUTINE_LOOP() {
    COROUTINE_CHANNEL_WRITE(numbers, next());
  }
}

COROUTINE(reader) {
  static int n, got;
  COROUTINE_BEGIN();
  while (n < 4) {
    COROUTINE_DELAY(3);
    COROUTINE_CHANNEL_READ(numbers, got);
    Serial.println(got);
    n++;
  }
  COROUTINE_END();
}

void setup() {
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}

int main() {
  return run_sketch(100, "1 2 3 4 ");
}
