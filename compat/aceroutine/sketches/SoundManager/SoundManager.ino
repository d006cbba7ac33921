// SPDX-License-Identifier: MIT
//
// A coroutine with a class of its own, to which others give work: reset() starts its body over,
// even in the middle of a sound.
#include <AceRoutine.h>
using namespace ace_routine;

class SoundManager : public Coroutine {
 public:
  enum Sound : uint8_t { kNone, kClick, kAlarm };

  void play(Sound sound) {
    mSound = sound;
    reset();
  }

  int runCoroutine() override {
    COROUTINE_BEGIN();
    switch (mSound) {  // wait points within a switch
      case kClick:
        note(440);
        COROUTINE_DELAY(10);
        break;
      case kAlarm:
        for (mBeeps = 0; mBeeps < 100; ++mBeeps) {
          note(880);
          COROUTINE_DELAY(50);
          note(660);
          COROUTINE_DELAY(50);
        }
        break;
      default:
        break;
    }
    Serial.println(F("  silence"));
    COROUTINE_END();
  }

 private:
  void note(uint16_t hertz) {
    Serial.print(F("  "));
    Serial.print(hertz);
    Serial.println(F(" Hz"));
  }

  Sound mSound = kNone;
  uint8_t mBeeps = 0;
};

SoundManager sounds;

COROUTINE(presses) {
  COROUTINE_BEGIN();
  COROUTINE_DELAY(20);
  Serial.println(F("click"));
  sounds.play(SoundManager::kClick);
  COROUTINE_DELAY(30);
  Serial.println(F("alarm"));
  sounds.play(SoundManager::kAlarm);
  COROUTINE_DELAY(180);
  Serial.println(F("click"));
  sounds.play(SoundManager::kClick);
  COROUTINE_AWAIT(sounds.isDone());
  Serial.println(F("done"));
  COROUTINE_END();
}

void setup() {
  Serial.begin(115200);
  sounds.suspend();
  CoroutineScheduler::setup();
}

void loop() {
  CoroutineScheduler::loop();
}
