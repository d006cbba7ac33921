// SPDX-License-Identifier: MIT
// COROUTINE_CHANNEL_WRITE reads a local variable again after the body has returned; with AceRoutine
// it is copied at once.
// Issue: Devices.
#include "sketch.hpp"

Channel<int> numbers;
int produced = 0;

COROUTINE(writer) {
  COROUTINE_LOOP() {
    int value = ++produced * 100;
    COROUTINE_CHANNEL_WRITE(numbers, value);
    COROUTINE_YIELD();
  }
}

COROUTINE(reader) {
  static int n, got;
  COROUTINE_BEGIN();
  while (n < 5) {
    COROUTINE_DELAY(5);
    COROUTINE_CHANNEL_READ(numbers, got);
    Serial.println(got % 100 == 0 ? got : -1);
    n++;
  }
  COROUTINE_END();
}

// Other code of the sketch, which uses the stack.
int __attribute__((noinline)) other() {
  volatile int all[1024];
  for (int i = 0; i < 1024; i++) all[i] = 7001;
  return all[0];
}

void setup() {
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
  other();
}

int main() {
  return run_sketch(100, "100 200 300 400 500 ");
}
