// SPDX-License-Identifier: MIT
//
// Tests delays that are longer than CCOUNT takes to wrap, and readings from one end of its range to
// the other: the clock agrees with the counter, however often it has wrapped meanwhile.
#include <baton/core.hpp>

#include "../../../tests/interrupts/verdict.hpp"

namespace {

using baton::port;

constexpr uint32_t latest = 100;  // ticks
constexpr uint16_t seconds[] = {1, 20, 53, 54, 107, 108, 215, 300, 900};

void set_count(uint32_t cycles) {
  __asm__ volatile("wsr.ccount %0\n\tesync" ::"a"(cycles) : "memory");
}

/// Sets the counter ahead in strides of every size, each less than half of its range, as the
/// clock's interrupt would allow.
uint16_t wrong_strides() {
  uint16_t wrong = 0;
  for (uint32_t stride = 1u << 31; stride >= 64; stride -= stride / 8) {
    const baton::tick before = port::now();
    const uint32_t from = port::cycle_count();
    set_count(from + stride);
    const uint32_t passed = port::now() - before;
    const uint32_t expected = stride / port::cycles_per_tick;
    if (passed < expected || passed > expected + latest) ++wrong;
  }
  return wrong;
}

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    strides = wrong_strides();
    if (strides) report();  // no delay would end
    for (n = 0; n < sizeof seconds / sizeof *seconds; ++n) {
      begun = port::now();
      count_begun = port::cycle_count();
      BATON_DELAY_S(seconds[n]);
      count(port::now() - begun, port::cycle_count() - count_begun);
    }
    report();
    BATON_END();
  }

  [[noreturn]] void report() {
    verdict::line("wrong strides", strides);
    verdict::line("early", early);
    verdict::line("late", late);
    verdict::line("adrift", adrift);
    verdict::give(!strides && !early && !late && !adrift);
  }

  void count(uint32_t ticks, uint32_t cycles) {
    const uint32_t expected = seconds[n] * port::ticks_per_second;
    if (ticks < expected) ++early;
    if (ticks > expected + latest) ++late;
    if (cycles - expected * port::cycles_per_tick > latest * port::cycles_per_tick) ++adrift;
  }

  baton::tick begun = 0;
  uint32_t count_begun = 0;
  uint16_t strides = 0;
  uint8_t n = 0;
  uint8_t early = 0;
  uint8_t late = 0;
  uint8_t adrift = 0;
};

sleeper the_sleeper;

}  // namespace

int main() {
  baton::board::start();
  the_sleeper.start();
  baton::scheduler::run();
}
