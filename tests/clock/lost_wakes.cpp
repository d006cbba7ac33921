// SPDX-License-Identifier: MIT
//
// Sets alarms that come while the scheduler is on its way to sleep, at every phase: an alarm
// between its last test of the flag and the sleep must end the sleep. If it does not, a second
// coroutine's delay, much later, wakes the first one too late.
#include <baton/core.hpp>

#include "../interrupts/verdict.hpp"

namespace {

using baton::tick;

constexpr uint16_t sleeps_in_total = 8192;
constexpr tick per_ms = baton::port::ticks_per_second / 1000;
constexpr tick latest = per_ms / 4;

uint16_t late;
tick worst;
bool over;

/// Takes roughly one instruction more for each turn, so that the alarm comes at another instruction
/// of the code that follows.
void pass_time(uint8_t turns) {
  switch (turns & 3) {
    case 3:
      __asm__ volatile("nop");  // fall through
    case 2:
      __asm__ volatile("nop");  // fall through
    case 1:
      __asm__ volatile("nop");  // fall through
    default:
      break;
  }
  for (turns = static_cast<uint8_t>(turns >> 2); turns; --turns) __asm__ volatile("nop\n\tnop");
}

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (n = 0; n < sleeps_in_total; ++n) {
      due = baton::port::now() + 1 + (n >> 7) % 64;
      pass_time(n & 127);
      BATON_DELAY_UNTIL(due);
      count(baton::port::now() - due);
    }
    over = true;
    BATON_END();
  }

  static void count(tick behind) {
    if (behind > worst) worst = behind;
    if (behind > latest) ++late;
  }

  uint16_t n = 0;
  tick due = 0;
};

/// Wakes the device from time to time in any case, and reports.
struct watchdog : baton::coroutine<watchdog, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (!over) BATON_DELAY_MS(3);
    verdict::line("sleeps", sleeps_in_total);
    verdict::line("late", late);
    verdict::line("latest by ticks", static_cast<uint32_t>(worst));
    verdict::give(!late);
    BATON_END();
  }
};

sleeper the_sleeper;
watchdog the_watchdog;

}  // namespace

int main() {
  baton::board::start();
  the_sleeper.start();
  the_watchdog.start();
  baton::scheduler::run();
}
