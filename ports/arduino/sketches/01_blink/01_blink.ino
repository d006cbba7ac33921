// SPDX-License-Identifier: MIT
//
// The first sketch: a coroutine that blinks the LED for ever.
#include <Baton.h>

struct blink : baton::coroutine<blink, baton::timed> {  // `timed` adds delays
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      lit_ = !lit_;
      digitalWrite(LED_BUILTIN, lit_);
      Serial.println(lit_ ? F("on") : F("off"));
      BATON_DELAY_MS(500);  // other coroutines run meanwhile; the processor sleeps if none is ready
    }
    BATON_END();
  }

  bool lit_ = false;  // a value that must live across a delay is a member, not a local variable
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
