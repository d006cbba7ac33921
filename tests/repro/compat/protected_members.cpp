// SPDX-License-Identifier: MIT
// The protected members that AceRoutine documents for classes of coroutines are missing.
// Issue: Devices.
#include "sketch.hpp"

class Blinker : public Coroutine {
 public:
  int runCoroutine() override {
    COROUTINE_LOOP() {
      mLast = coroutineMillis();
      COROUTINE_DELAY(10);
    }
  }
  Status status() const { return getStatus(); }
  bool hasName() const { return mName != nullptr; }
  void delayAgain(uint16_t ms) {
    setDelayMillis(ms);
    setDelaying();
  }

 private:
  unsigned long mLast = 0;
};
Blinker blinker;
