// SPDX-License-Identifier: MIT
//
// The scheduler, and two coroutines that setup() itself sets up.
#include <AceRoutine.h>
using namespace ace_routine;

volatile int work;

struct Type1 : Coroutine {
  int runCoroutine() override {
    COROUTINE_LOOP() {
      work = 1;
      COROUTINE_DELAY(10);
    }
  }
  void begin() { work = 1; }
};
Type1 a;

struct Type2 : Coroutine {
  int runCoroutine() override {
    COROUTINE_LOOP() {
      work = 2;
      COROUTINE_DELAY(10);
    }
  }
  void begin() { work = 2; }
};
Type2 b;

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
  a.begin();
  b.begin();
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}
