// SPDX-License-Identifier: MIT
//
// Tests the machine timer where the low word of its 64 bits wraps: readings at that moment, at
// every phase, and alarms beyond it. The program sets the timer, so it does not wait for the seven
// minutes between two wraps.
#include <baton/core.hpp>

#include "../../../tests/interrupts/verdict.hpp"

namespace {

using baton::port;

/// Sets the timer through a value from which neither half counts on into the other.
void set_mtime(uint32_t high, uint32_t low) {
  baton_mtime[0] = 0;
  baton_mtime[1] = high;
  baton_mtime[0] = low;
}

/// Each turn takes a few instructions; some twelve instructions make one count of `mtime`.
void pass_time(uint32_t turns) {
  for (; turns; --turns) __asm__ volatile("nop");
}

uint32_t wrong_readings() {
  uint32_t wrong = 0;
  for (uint32_t phase = 0; phase < 200; ++phase) {
    set_mtime(phase % 3, 0xffffffe0);
    pass_time(phase);
    baton::tick before = port::now();
    for (uint32_t readings = 0; readings < 60; ++readings) {
      const baton::tick after = port::now();
      if (after - before > 2) ++wrong;
      before = after;
    }
  }
  return wrong;
}

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (n = 0; n < 200; ++n) {
      set_mtime(n % 3, 0xfffffff0 - n);
      begun = port::now();
      BATON_DELAY_US(40);
      count(port::now() - begun);
    }
    verdict::line("wrong readings", wrong_readings());
    verdict::line("early", early);
    verdict::line("late", late);
    verdict::give(!wrong_readings() && !early && !late);
    BATON_END();
  }

  void count(baton::tick took) {
    if (took < 80) ++early;
    if (took > 100) ++late;
  }

  baton::tick begun = 0;
  uint8_t n = 0;
  uint8_t early = 0;
  uint8_t late = 0;
};

sleeper the_sleeper;

}  // namespace

int main() {
  baton::board::start();
  the_sleeper.start();
  baton::scheduler::run();
}
