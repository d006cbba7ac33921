// SPDX-License-Identifier: MIT
//
// Receives lines from the serial port. The Arduino core receives the bytes in an interrupt of its
// own and keeps 64 of them. A coroutine tests whether there are any, and others run meanwhile.
#include <Baton.h>

struct reader : baton::coroutine<reader> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_AWAIT(Serial.available());  // polled, because Serial wakes no coroutine
      take(static_cast<char>(Serial.read()));
    }
    BATON_END();
  }

  void take(char c) {
    if (c == '\n') {
      line_[length_] = 0;
      Serial.print(F("line: "));
      Serial.println(line_);
      length_ = 0;
    } else if (length_ < sizeof(line_) - 1) {
      line_[length_++] = c;
    }
  }

  uint8_t length_ = 0;
  char line_[40] = {};
};

struct clock_hand : baton::coroutine<clock_hand, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_MS(200);
      Serial.println(F("tick"));
    }
    BATON_END();
  }
};

reader line_reader;
clock_hand ticker;

void setup() {
  Serial.begin(115200);
  line_reader.start();
  ticker.start();
}

void loop() {
  baton::scheduler::run();
}
