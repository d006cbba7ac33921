// SPDX-License-Identifier: MIT
//
// Tests delays of every length around a wrap of Timer0: they are never early, and late by no more
// than a stated bound, while the processor sleeps, while another coroutine spins, and with PWM on
// the pin of the compare unit.
#include <Baton.h>

const uint16_t delays = 400;
const uint32_t bound_us = 48;  // a step, a switch and its readings of the clock, the interrupts of Timer0 and Serial

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (left_ = delays; left_; --left_) {
      length_ = (length_ * 181 + 359) % 4093;  // 0 to 4 wraps
      due_ = baton::port::now() + length_;
      BATON_DELAY_UNTIL(due_);
      note(static_cast<int32_t>(baton::port::now() - due_));
    }
    baton::scheduler::stop();
    BATON_END();
  }

  void note(int32_t late_us) {
    if (late_us < 0) ++early;
    if (late_us > latest_us) latest_us = late_us;
  }

  uint16_t left_ = 0;
  uint32_t length_ = 1;
  uint32_t due_ = 0;
  uint16_t early = 0;
  int32_t latest_us = 0;
};

struct spinner : baton::coroutine<spinner> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) BATON_YIELD();
    BATON_END();
  }
};

sleeper the_sleeper;
spinner the_spinner;

void measure(const __FlashStringHelper* what) {
  the_sleeper.early = 0;
  the_sleeper.latest_us = 0;
  the_sleeper.restart();
  baton::scheduler::run();
  Serial.print(what);
  if (the_sleeper.early == 0 && the_sleeper.latest_us <= static_cast<int32_t>(bound_us)) {
    Serial.println(F(": in time"));
  } else {
    Serial.print(F(": early "));
    Serial.print(the_sleeper.early);
    Serial.print(F(", latest us "));
    Serial.println(the_sleeper.latest_us);
  }
  Serial.flush();
}

void setup() {
  Serial.begin(115200);
  measure(F("asleep"));
  the_spinner.start();
  measure(F("while another spins"));
  analogWrite(5, 17);
  measure(F("with PWM on pin 5"));
  the_spinner.suspend();
  measure(F("asleep with PWM on pin 5"));
}

void loop() {}
