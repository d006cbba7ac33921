// SPDX-License-Identifier: MIT
//
// A program of real size: a button, patterns of an LED, a sensor with a deadline, a command line.
#include <Baton.h>
#include "hw.h"
using namespace baton;
enum class press : uint8_t { brief, lengthy };
channel<press, 4> presses;
channel<uint8_t, 1> modes;
struct button : coroutine<button, timed> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_MS(5);
      if (is_down() == down_) {
        stable_ = 0;
        if (down_ && held_ < 255) ++held_;
        continue;
      }
      if (++stable_ < 4) continue;
      down_ = !down_;
      stable_ = 0;
      if (!down_ && presses.try_send(held_ > 160 ? press::lengthy : press::brief) != status::ok) {
      }
      held_ = 0;
    }
    BATON_END();
  }
  bool down_ = false;
  uint8_t stable_ = 0, held_ = 0;
};
struct led : coroutine<led, deadline> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      lit_ = !lit_ && pat_on[mode_];
      digitalWrite(13, lit_);
      BATON_WAIT_FOR(milliseconds(lit_ ? pat_on[mode_] : pat_off[mode_]), modes.receive(next_));
      if (result() == status::ok) {
        mode_ = next_;
        lit_ = false;
      }
    }
    BATON_END();
  }
  bool lit_ = false;
  uint8_t mode_ = 1, next_ = 0;
};
struct chooser : coroutine<chooser, waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(presses.receive(p_));
      Serial.println(p_ == press::brief ? F("press") : F("long press"));
      mode_ = p_ == press::brief ? (mode_ + 1) % 4 : 0;
      BATON_WAIT(modes.send(mode_));
    }
    BATON_END();
  }
  press p_ = press::brief;
  uint8_t mode_ = 1;
};
isr_signal converted;
ISR(ADC_vect) {
  converted.set();
}
struct sensor : coroutine<sensor, periodic<deadline>> {
  point step(point at) {
    BATON_BEGIN();
    adc_setup();
    BATON_PERIOD_START();
    for (;;) {
      BATON_PERIOD_MS(100, catch_up::skip);
      adc_go(++turn_);
      BATON_WAIT_FOR(milliseconds(2), converted.wait());
      if (result() == status::timed_out)
        ++timeouts;
      else {
        last_reading = ADC;
        ++readings;
      }
    }
    BATON_END();
  }
  uint8_t turn_ = 0;
};
struct cli : coroutine<cli, timed_waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_MS(2);  // Arduino's Serial tells nobody that a byte has come
      while (Serial.available()) {
        c_ = Serial.read();
        if (c_ == '\n') {
          line_[n_] = 0;
          n_ = 0;
          mode_ = parse(line_);
          if (mode_ == 4)
            stat();
          else if (mode_ < 4) {
            BATON_WAIT(modes.send(mode_));
            Serial.println(F("ok"));
          }
        } else if (n_ < sizeof line_ - 1)
          line_[n_++] = c_;
      }
    }
    BATON_END();
  }
  char c_ = 0;
  uint8_t n_ = 0, mode_ = 0;
  char line_[20] = {};
};
button the_button;
led the_led;
chooser the_chooser;
sensor meter;
cli shell;
void setup() {
  Serial.begin(115200);
  pinMode(13, OUTPUT);
  pinMode(2, INPUT_PULLUP);
  the_button.start();
  the_led.start();
  the_chooser.start();
  meter.start();
  shell.start();
  Serial.println(F("ready"));
}
void loop() {
  scheduler::run();
}
