// SPDX-License-Identifier: MIT
//
// Runs coroutines beside a loop() of another style. run_until_idle() runs the jobs that are ready
// and returns; it never waits.
#include <Baton.h>

baton::channel<uint8_t, 4> readings;  // loop() sends the readings, a coroutine receives them

struct printer : baton::coroutine<printer, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(readings.receive(reading_));
      Serial.print(F("reading "));
      Serial.println(reading_);
    }
    BATON_END();
  }

  uint8_t reading_ = 0;
};

struct heartbeat : baton::coroutine<heartbeat, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_MS(230);
      Serial.println(F("beat"));
    }
    BATON_END();
  }
};

printer the_printer;
heartbeat the_heartbeat;

void setup() {
  Serial.begin(115200);
  the_printer.start();
  the_heartbeat.start();
}

void loop() {
  static uint32_t last = 0;
  static uint8_t reading = 0;
  if (millis() - last >= 100) {  // the usual way of sketches
    last += 100;
    ++reading;
    if (readings.try_send(reading) == baton::status::full) Serial.println(F("nobody takes the readings"));
  }
  baton::scheduler::run_until_idle();
}
