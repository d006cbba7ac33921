// SPDX-License-Identifier: MIT
//
// Makes 10,000 delays on the real clock, many of them at its difficult moments: due exactly where
// Timer1 wraps, about one wrap ahead, and very short. None may end early, and none later than a
// stated bound. The clock itself, read in a row across wraps at every phase, never goes back and
// never jumps.

#include <avr/io.h>
#include <util/delay_basic.h>

#include <baton/core.hpp>

#include "verdict.hpp"

namespace {

using baton::tick;

constexpr uint16_t delays_in_total = 10000;

// In units of 0.5 us: the wake, the other sleeper's turn, and the clock's own interrupt.
constexpr tick latest = 200;

uint32_t state = 1;

// The multiplication is fast, so that a sleeper's own turn is short.
uint16_t random() {
  state = state * 69069 + 1;
  return static_cast<uint16_t>(state >> 16);
}

tick next_length() {
  uint16_t r = random();
  uint16_t low = static_cast<uint16_t>(baton::port::now());
  switch (r & 31) {
    case 0:  // due where Timer1 wraps
      return static_cast<tick>(0x10000 - low) + (random() & 31) - 16;
    case 1:  // due about one wrap ahead
      return static_cast<tick>(0x10000) + (random() & 31) - 16;
    case 2:
      return random();
    default:
      return r >> (r & 7 ? 6 : 10);
  }
}

uint16_t delays_done;
uint16_t early;
uint16_t late;
tick worst;
uint8_t awake = 2;

void count(tick begun, tick length) {
  tick took = baton::port::now() - begun;
  ++delays_done;
  if (took < length) {
    ++early;
    return;
  }
  if (took - length > worst) worst = took - length;
  if (took - length > latest) ++late;
}

void check_clock();

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (delays_done < delays_in_total) {
      length = next_length();
      begun = baton::port::now();
      if (random() & 1) {
        length &= ~tick{1};
        BATON_DELAY_US(length / 2);
      } else {
        BATON_DELAY_UNTIL(begun + length);
      }
      count(begun, length);
    }
    if (--awake == 0) report();
    BATON_END();
  }

  BATON_NOINLINE void report() {
    verdict::line("delays", delays_done);
    verdict::line("early", early);
    verdict::line("late", late);
    verdict::line("latest by ticks", worst);
    check_clock();
  }

  tick begun = 0;
  tick length = 0;
};

sleeper sleepers[2];

/// Starts just before a wrap, at another phase each time, and reads until well after it.
void check_clock() {
  constexpr uint8_t phases = 180;
  uint16_t wrong = 0;
  uint16_t wraps = 0;
  for (uint8_t phase = 1; phase <= phases; ++phase) {
    {
      baton::port::critical mask;
      TCNT1 = 0xffe0;
    }
    // One loop takes 3 cycles per round, the other 4: together they make every number of cycles.
    _delay_loop_1(static_cast<uint8_t>(phase / 3 + 1));
    _delay_loop_2(phase % 3 + 1);
    tick before = baton::port::now();
    for (uint8_t i = 0; i < 40; ++i) {
      tick after = baton::port::now();
      if (after - before > 100) ++wrong;
      if ((after ^ before) >> 16) ++wraps;
      before = after;
    }
  }
  verdict::line("wraps read", wraps);
  verdict::line("wrong readings", wrong);
  verdict::give(early == 0 && late == 0 && wrong == 0 && wraps == phases);
}

}  // namespace

int main() {
  baton::board::start();
  for (sleeper& s : sleepers) s.start();
  baton::scheduler::run();
}
