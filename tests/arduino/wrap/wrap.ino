// SPDX-License-Identifier: MIT
//
// Tests delays, deadlines and periods across the wrap of micros(): they are never early, and late
// by no more than a stated bound, while the sketch idles and while another coroutine spins.
#include <Baton.h>

const uint32_t before_wrap_us = 20480;
const uint32_t bound_us = 250;
const uint8_t rounds = 5;

#ifdef __AVR__
extern "C" volatile unsigned long timer0_overflow_count;

void set_clock(uint32_t us) {
  noInterrupts();
  timer0_overflow_count = us / 1024;  // a wrap of Timer0 takes 1,024 us at 16 MHz
  interrupts();
}
#else
void set_clock(uint32_t us) {
  test_core::set_micros(us);
}
#endif

baton::channel<uint8_t> silent;  // on which no coroutine sends
uint16_t early;
uint32_t latest_us;

void note(uint32_t due) {
  const int32_t late_us = static_cast<int32_t>(baton::port::now() - due);
  if (late_us < 0) {
    ++early;
  } else if (static_cast<uint32_t>(late_us) > latest_us) {
    latest_us = static_cast<uint32_t>(late_us);
  }
}

struct sleeper : baton::coroutine<sleeper, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (left_ = rounds; left_; --left_) {
      due_ = baton::port::now() + baton::milliseconds(5);
      BATON_DELAY_UNTIL(due_);
      note(due_);
      due_ = baton::port::now() + baton::milliseconds(3);
      BATON_WAIT_UNTIL(due_, silent.receive(value_));
      note(due_);
      if (result() != baton::status::timed_out) ++early;
    }
    baton::scheduler::stop();
    BATON_END();
  }

  uint8_t left_ = 0, value_ = 0;
  uint32_t due_ = 0;
};

struct beat : baton::coroutine<beat, baton::periodic<>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    beats_ = 0;
    first_ = baton::port::now();
    BATON_PERIOD_START();
    for (;;) {
      BATON_PERIOD_MS(3, baton::catch_up::all);
      ++beats_;
      note(first_ + beats_ * baton::milliseconds(3));
    }
    BATON_END();
  }

  uint8_t beats_ = 0;
  uint32_t first_ = 0;
};

struct spinner : baton::coroutine<spinner> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) BATON_YIELD();
    BATON_END();
  }
};

sleeper the_sleeper;
beat the_beat;
spinner the_spinner;

void measure(const __FlashStringHelper* what) {
  early = 0;
  latest_us = 0;
  set_clock(0 - before_wrap_us);
  the_beat.restart();
  the_sleeper.restart();
  const uint32_t begun = micros();
  baton::scheduler::run();
  const bool wrapped = micros() < begun;
  the_beat.suspend();
  Serial.print(what);
  if (wrapped && !early && latest_us <= bound_us && the_beat.beats_ >= 12) {
    Serial.println(F(": the clock wrapped, and all came in time"));
  } else {
    Serial.print(wrapped ? F(": the clock wrapped, early ") : F(": the clock did not wrap, early "));
    Serial.print(early);
    Serial.print(F(", latest us "));
    Serial.print(latest_us);
    Serial.print(F(", beats "));
    Serial.println(the_beat.beats_);
  }
  Serial.flush();
}

void setup() {
  Serial.begin(115200);
  measure(F("idle"));
  the_spinner.start();
  measure(F("while another spins"));
}

void loop() {}
