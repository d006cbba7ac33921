// SPDX-License-Identifier: MIT
//
// Tests that an idle sketch sleeps. Timer2 interrupts some thousand times, independently of the
// clock, and notes whether the instruction before the one that it returns to is `sleep`.
#include <Baton.h>

volatile uint16_t samples = 0;
volatile uint16_t asleep = 0;

bool is_sleep(uint16_t word) {
  return pgm_read_word(word * 2) == 0x9588;
}

ISR(TIMER2_COMPA_vect) {
  const uint16_t next = reinterpret_cast<uint16_t>(__builtin_return_address(0));
  samples = samples + 1;
  if (is_sleep(next - 1) || is_sleep(next - 2)) asleep = asleep + 1;  // the simulator runs one instruction more
}

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (left_ = 25; left_; --left_) BATON_DELAY_MS(20);
    baton::scheduler::stop();
    BATON_END();
  }

  uint8_t left_ = 0;
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

void measure(const __FlashStringHelper* what, uint8_t from_percent, uint8_t to_percent) {
  samples = asleep = 0;
  the_sleeper.restart();
  baton::scheduler::run();
  const uint16_t share = static_cast<uint16_t>(100UL * asleep / samples);
  Serial.print(what);
  if (samples > 3000 && share >= from_percent && share <= to_percent) {
    Serial.println(F(": as expected"));
  } else {
    Serial.print(F(": percent asleep "));
    Serial.print(share);
    Serial.print(F(" of "));
    Serial.println(samples);
  }
  Serial.flush();
}

void setup() {
  Serial.begin(115200);
  TCCR2A = _BV(WGM21);
  TCCR2B = _BV(CS21);
  OCR2A = 250;  // a period of 251 * 8 cycles, which has only the factor 8 in common with the 256 * 64 of Timer0
  TIMSK2 = _BV(OCIE2A);
  measure(F("idle"), 90, 99);  // it is awake for the last millisecond of twenty
  the_spinner.start();
  measure(F("busy"), 0, 0);
}

void loop() {}
