// SPDX-License-Identifier: MIT
//
// A program that takes one more use of compat/aceroutine for each value of USES. second_uses.toml
// names them.
#include <AceRoutine.h>
using namespace ace_routine;
#if USES >= 1
volatile int work;
volatile bool flag;
Channel<int> numbers;
int length = 10;
#define WAITING(name)    \
  COROUTINE(name) {      \
    COROUTINE_LOOP() {   \
      COROUTINE_YIELD(); \
    }                    \
  }
COROUTINE(user) {
  COROUTINE_LOOP() {
    work = 1;
    COROUTINE_DELAY(100);
    COROUTINE_DELAY(200);
    COROUTINE_DELAY(length);
    COROUTINE_DELAY(length);
    COROUTINE_DELAY_MICROS(30);
    COROUTINE_DELAY_MICROS(40);
    COROUTINE_AWAIT(flag);
    COROUTINE_AWAIT(flag);
    COROUTINE_CHANNEL_WRITE(numbers, 1);
    COROUTINE_CHANNEL_WRITE(numbers, 2);
    COROUTINE_CHANNEL_READ(numbers, length);
    COROUTINE_CHANNEL_READ(numbers, length);
    COROUTINE_YIELD();
#endif
#if USES >= 2
    COROUTINE_DELAY(300);
#endif
#if USES >= 3
    COROUTINE_DELAY(length);
#endif
#if USES >= 4
    COROUTINE_DELAY_MICROS(50);
#endif
#if USES >= 5
    COROUTINE_DELAY_MICROS(60);
#endif
#if USES >= 6
    COROUTINE_AWAIT(flag);
#endif
#if USES >= 7
    COROUTINE_YIELD();
#endif
#if USES >= 8
    COROUTINE_CHANNEL_WRITE(numbers, 3);
#endif
#if USES >= 9
    COROUTINE_CHANNEL_WRITE(numbers, 4);
#endif
#if USES >= 10
    COROUTINE_CHANNEL_READ(numbers, length);
#endif
#if USES >= 11
    COROUTINE_CHANNEL_READ(numbers, length);
#endif
#if USES >= 1
  }
}
WAITING(first)
WAITING(second)
WAITING(third)
WAITING(fourth)
WAITING(fifth)
WAITING(sixth)
WAITING(seventh)
#endif
#if USES >= 12
WAITING(eighth)
#endif
#if USES >= 1
void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
  CoroutineScheduler::setup();
}
void loop() {
  CoroutineScheduler::loop();
#endif
#if USES >= 13
  CoroutineScheduler::loop();
#endif
#if USES >= 1
}
#endif
