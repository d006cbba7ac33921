// SPDX-License-Identifier: MIT
//
// A class of coroutines with a wait of its own, over AceRoutine's building blocks; a local variable
// sent through a channel; and the names of all statuses, which are in flash.
#include <AceRoutine.h>
using namespace ace_routine;

enum class Status : uint8_t { kFilling, kFull };  // a type of the sketch's own

#define COROUTINE_WAIT_UNTIL(condition) \
  do {                                  \
    this->setYielding();                \
    do {                                \
      COROUTINE_YIELD_INTERNAL();       \
    } while (!(condition));             \
    this->setRunning();                 \
  } while (false)

Channel<int> levels;

class Tank : public Coroutine {
 public:
  int runCoroutine() override {
    COROUTINE_BEGIN();
    if (coroutineMillis() < 5) return 0;  // visited again
    COROUTINE_WAIT_UNTIL(++mLevel == 3);
    mState = ::Status::kFull;
    while (mLevel) {
      int level = 100 * mLevel--;
      COROUTINE_CHANNEL_WRITE(levels, level);
    }
    COROUTINE_END();
  }
  bool isFull() const { return mState == ::Status::kFull; }

 private:
  uint8_t mLevel = 0;
  ::Status mState = ::Status::kFilling;
};

Tank tank;

COROUTINE(reports) {
  static int level;
  static uint8_t left;
  COROUTINE_BEGIN();
  COROUTINE_AWAIT(tank.isFull());
  Serial.println(F("full"));
  for (left = 3; left; --left) {
    COROUTINE_DELAY(2);
    COROUTINE_CHANNEL_READ(levels, level);
    Serial.println(level);
  }
  COROUTINE_END();
}

void setup() {
  Serial.begin(115200);
  for (const __FlashStringHelper* const& name : sStatusStrings) {
    Serial.println(reinterpret_cast<const __FlashStringHelper*>(pgm_read_ptr(&name)));
  }
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}
