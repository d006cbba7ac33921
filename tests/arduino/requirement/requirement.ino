// SPDX-License-Identifier: MIT
//
// A broken requirement calls the sketch's own handler, which stands in a file of its own.
#include <Baton.h>

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    Serial.println(F("sleeps too long"));
    BATON_DELAY_MS(length_);
    Serial.println(F("was not stopped"));
    BATON_END();
  }

  volatile uint32_t length_ = 4000000000;
};

sleeper the_sleeper;

void setup() {
  Serial.begin(115200);
  the_sleeper.start();
}

void loop() {
  baton::scheduler::run();
}
