// SPDX-License-Identifier: MIT
//
// Holds the devices of the Arduino API to the contracts. A line "check N failed" names a line of
// contract.hpp.
#include <BatonDevices.h>

#include "../../../devices/tests/contract.hpp"

struct report {
  static constexpr uint8_t late_ms = 50;
  static void check(bool good, uint16_t line) {
    if (good) return;
    failures = true;
    Serial.print(F("check "));
    Serial.print(line);
    Serial.println(F(" failed"));
  }
  static bool failures;
};
bool report::failures;

contract::pin_test<baton::arduino::pin<2>, report> pin_test;
contract::adc_test<baton::arduino::adc<A0>, report> adc_test;
contract::uart_test<baton::arduino::uart<decltype(Serial), Serial>, report> uart_test;

struct judge : baton::coroutine<judge, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (left_ = 200; left_ && !(pin_test.is_done() && adc_test.is_done() && uart_test.is_done()); --left_) {
      BATON_DELAY_MS(50);
    }
    Serial.println(left_ && !report::failures ? F("verdict: good") : F("verdict: bad"));
    BATON_END();
  }
  uint8_t left_ = 0;
};
judge the_judge;

void setup() {
  uart_test.start();
  pin_test.start();
  adc_test.start();
  the_judge.start();
}

void loop() {
  baton::scheduler::run();
}
