// SPDX-License-Identifier: MIT
//
// The statement that nothing dies is wrong here, and its check names it.
#define BATON_NOTHING_DIES
#define BATON_CHECK_NOTHING_DIES
#include <Baton.h>

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    Serial.println(F("sleeps"));
    BATON_DELAY_MS(10);
    Serial.println(F("woke"));
    BATON_END();
  }
};

void setup() {
  Serial.begin(115200);
  {
    sleeper local;
    local.start();
    baton::scheduler::run_until_idle();
  }
  Serial.println(F("was not stopped"));
}

void loop() {
  baton::scheduler::run();
}
