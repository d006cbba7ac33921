// SPDX-License-Identifier: MIT
//
// Coroutines on the stack are destroyed while they wait and sleep: no list keeps them.
#include <Baton.h>

baton::channel<uint8_t, 2> values;
uint8_t received;

struct receiver : baton::coroutine<receiver, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(values.receive(value_));
      received = value_;
      Serial.println(value_);
    }
    BATON_END();
  }

  uint8_t value_ = 0;
};

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_MS(10);
      Serial.println(F("the sleeper woke"));
    }
    BATON_END();
  }
};

receiver lasting;

void setup() {
  Serial.begin(115200);
  {
    receiver local;
    sleeper s;
    local.start();
    s.start();
    baton::scheduler::run_until_idle();
  }
  lasting.start();
  baton::scheduler::run_until_idle();
  if (values.try_send(7) != baton::status::ok) Serial.println(F("full"));
  baton::scheduler::run_until_idle();
  delay(30);
  baton::scheduler::run_until_idle();
  Serial.println(received == 7 ? F("right") : F("wrong"));
}

void loop() {}
