// SPDX-License-Identifier: MIT
//
// The scheduler, and one coroutine that setup() itself sets up.
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

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
  a.begin();
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}
