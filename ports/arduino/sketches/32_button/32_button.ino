// SPDX-License-Identifier: MIT
//
// A button without its bounces: `button` waits for the pin's interrupt and sends an event for each
// press, long press and release. Instead of a hand, a coroutine plays a contact that bounces: on
// AVR an output interrupts as an input does. With a button between pin 2 and ground, remove the
// coroutine `finger`.
#include <BatonDevices.h>

using baton::devices::button_event;
using pin = baton::arduino::pin<2>;

baton::channel<button_event, 4> events;
baton::devices::button<pin> the_button(events);

struct listener : baton::coroutine<listener, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(events.receive(event_));
      if (event_ == button_event::pressed) Serial.println(F("pressed"));
      if (event_ == button_event::held) Serial.println(F("held"));
      if (event_ == button_event::released) Serial.println(F("released"));
      digitalWrite(LED_BUILTIN, the_button.is_down());
    }
    BATON_END();
  }
  button_event event_ = button_event::pressed;
};

struct finger : baton::coroutine<finger, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_YIELD();  // the button configures the pin first
    pin::configure(baton::devices::pin_mode::output_high);
    for (presses_ = 0; presses_ < 3; ++presses_) {
      for (edges_ = 0; edges_ < 7; ++edges_) {  // the contact closes, after it has bounced
        pin::write(edges_ % 2 != 0);
        BATON_DELAY_US(700);
      }
      BATON_DELAY_MS(presses_ == 1 ? 1000 : 60);
      for (edges_ = 0; edges_ < 5; ++edges_) {  // it opens
        pin::write(edges_ % 2 == 0);
        BATON_DELAY_US(700);
      }
      BATON_DELAY_MS(60);
    }
    BATON_END();
  }
  uint8_t presses_ = 0, edges_ = 0;
};

listener the_listener;
finger the_finger;

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
  the_button.start();
  the_listener.start();
  the_finger.start();
}

void loop() {
  baton::scheduler::run();
}
