// SPDX-License-Identifier: MIT
//
// Wakes a coroutine from an interrupt. The interrupt of pin 2 sets an isr_signal and counts; the
// coroutine that waits for it costs nothing until then, and the processor sleeps. Instead of a
// button, a coroutine toggles the pin: on AVR an output interrupts as an input does. If you connect
// a button between pin 2 and ground, make the pin INPUT_PULLUP and remove the coroutine `finger`.
#include <Baton.h>

using namespace baton::literals;

const uint8_t button_pin = 2;

baton::isr_signal pressed;     // wakes a coroutine from an interrupt
volatile uint8_t presses = 0;  // written by the interrupt alone

void on_press() {
  presses = static_cast<uint8_t>(presses + 1);
  pressed.set();
}

struct counter : baton::coroutine<counter, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(300_ms, pressed.wait());
      if (result() == baton::status::timed_out) {
        Serial.println(F("nobody presses"));
      } else {
        Serial.print(F("pressed: "));
        Serial.println(presses);
      }
    }
    BATON_END();
  }
};

struct finger : baton::coroutine<finger, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (left_ = 3; left_; --left_) {
      BATON_DELAY_MS(100);
      digitalWrite(button_pin, LOW);
      BATON_DELAY_MS(10);
      digitalWrite(button_pin, HIGH);
    }
    BATON_END();
  }

  uint8_t left_ = 0;
};

counter the_counter;
finger the_finger;

void setup() {
  Serial.begin(115200);
  pinMode(button_pin, OUTPUT);
  digitalWrite(button_pin, HIGH);
  attachInterrupt(digitalPinToInterrupt(button_pin), on_press, FALLING);
  the_counter.start();
  the_finger.start();
}

void loop() {
  baton::scheduler::run();
}
