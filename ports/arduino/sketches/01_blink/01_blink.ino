// SPDX-License-Identifier: MIT
//
// The first sketch: a coroutine that blinks the LED for ever.
#include <Baton.h>

struct blink : baton::coroutine<blink, baton::timed> {  // `timed` is what adds delays
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      lit_ = !lit_;
      digitalWrite(LED_BUILTIN, lit_);
      Serial.println(lit_ ? F("on") : F("off"));
      BATON_DELAY_MS(500);  // others run meanwhile; with nobody ready the processor sleeps
    }
    BATON_END();
  }

  bool lit_ = false;  // what must live across a delay is a member, not a local
};

blink blinker;

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
  blinker.start();
}

void loop() {
  baton::scheduler::run();
}
