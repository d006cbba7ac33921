// SPDX-License-Identifier: MIT
//
// Tests a board's own clock through its port: it never goes back and never jumps, a delay never
// ends early and never later than a stated bound, an alarm replaces a later one, and a wait that
// ended first leaves no alarm that matters. Lengths are random, with a preference for the difficult
// ones: very short ones, and those past the ends of the hardware's own periods.
#include <baton/core.hpp>

#include "../interrupts/verdict.hpp"

namespace {

using baton::tick;

constexpr tick per_ms = baton::port::ticks_per_second / 1000;
constexpr tick latest = per_ms / 4;

constexpr uint16_t delays_in_total = 600;

uint32_t state = 1;

uint16_t random() {
  state = state * 69069 + 1;
  return static_cast<uint16_t>(state >> 16);
}

/// Most lengths are below a millisecond, some around 20, a few up to 800.
tick next_length() {
  const uint16_t r = random();
  const tick part = random() & 1023;
  switch (r & 63) {
    case 0:
      return part * per_ms * 8 / 10;
    case 1:
    case 2:
    case 3:
      return part * per_ms / 40;
    case 4:
      return 0;
    default:
      return part * per_ms / 1024;
  }
}

uint16_t delays_done;
uint16_t early;
uint16_t late;
tick worst;
uint8_t awake = 3;

void count(tick begun, tick length) {
  const tick took = baton::port::now() - begun;
  ++delays_done;
  if (took < length) {
    ++early;
    return;
  }
  if (took - length > worst) worst = took - length;
  if (took - length > latest) ++late;
}

void report();

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (delays_done < delays_in_total) {
      length = next_length();
      begun = baton::port::now();
      BATON_DELAY_UNTIL(begun + length);
      count(begun, length);
    }
    if (--awake == 0) report();
    BATON_END();
  }

  tick begun = 0;
  tick length = 0;
};

baton::signal ring;

/// Waits with a deadline that the bell always beats.
struct waiter : baton::coroutine<waiter, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (delays_done < delays_in_total) {
      BATON_WAIT_FOR(baton::milliseconds(400), ring.wait());
      if (result() != baton::status::ok) ++late;
    }
    if (--awake == 0) report();
    BATON_END();
  }
};

/// Rings every two milliseconds, as long as a coroutine waits.
struct bell : baton::coroutine<bell, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (awake) {
      BATON_DELAY_MS(2);
      ring.set();
    }
    BATON_END();
  }
};

sleeper sleepers[2];
waiter patient;
bell rings;

/// Reads without a pause for longer than the longest period of any port but the widest.
uint32_t wrong_readings() {
  uint32_t wrong = 0;
  const tick begun = baton::port::now();
  for (tick before = begun, after; before - begun < 1200 * per_ms; before = after) {
    after = baton::port::now();
    if (after - before > latest) ++wrong;
  }
  return wrong;
}

/// Reads with interrupts masked: the end of a period is pending for a while, and must count
/// nevertheless.
uint32_t wrong_masked_readings() {
  uint32_t wrong = 0;
  for (uint8_t round = 0; round < 100; ++round) {
    const tick begun = baton::port::now();
    baton::port::alarm(begun + per_ms / 10 + round);
    baton::port::critical mask;
    for (tick before = begun, after; before - begun < per_ms / 3; before = after) {
      after = baton::port::now();
      if (after - before > latest) ++wrong;
    }
  }
  return wrong;
}

void report() {
  verdict::line("delays", delays_done);
  verdict::line("early", early);
  verdict::line("late", late);
  verdict::line("latest by ticks", static_cast<uint32_t>(worst));
  const uint32_t wrong = wrong_readings();
  const uint32_t wrong_masked = wrong_masked_readings();
  verdict::line("wrong readings", wrong);
  verdict::line("wrong masked readings", wrong_masked);
  verdict::give(delays_done >= delays_in_total && !early && !late && !wrong && !wrong_masked);
}

}  // namespace

int main() {
  baton::board::start();
  for (sleeper& s : sleepers) s.start();
  patient.start();
  rings.start();
  baton::scheduler::run();
}
