// SPDX-License-Identifier: MIT
//
// Sets an alarm at every instruction of the way to sleep: idle() returns. Nothing else wakes the
// device, so a port that tests the flag and then goes to sleep with interrupts on sleeps for ever,
// which the runner notices.
#include <baton/board.hpp>
#include <baton/core/platform.hpp>
#include <stdint.h>

namespace {

using baton::port;

/// Long enough for the way from setting the alarm to the sleep.
constexpr baton::tick ahead = port::ticks_per_second / 50000;
constexpr uint8_t turns_beyond = 20;

/// Takes at most `rests` instructions per turn.
__attribute__((noinline)) void pass(uint16_t turns) {
  for (; turns; --turns) __asm__ volatile("nop");
}
constexpr uint8_t rests = 8;

/// Returns whether the alarm came before the sleep.
template <uint8_t Rest>
__attribute__((noinline)) bool sleep_after(uint16_t turns) {
  port::attention::lower();
  port::alarm(port::now() + ahead);
  __asm__ volatile(".rept %c0\n\tnop\n\t.endr" ::"i"(Rest));
  pass(turns);
  const bool came_early = port::attention::raised();
  while (!port::attention::raised()) port::idle();
  return came_early;
}

/// Sweeps from an alarm long after the sleep began to one long before; returns the turns that it
/// takes.
template <uint8_t Rest>
struct sweep {
  static uint16_t run() {
    uint16_t turns = 0;
    for (uint8_t beyond = 0; beyond < turns_beyond; ++turns) {
      beyond = sleep_after<Rest>(turns) ? static_cast<uint8_t>(beyond + 1) : 0;
    }
    const uint16_t least = sweep<Rest - 1>::run();
    return least < turns ? least : turns;
  }
};
template <>
struct sweep<static_cast<uint8_t>(-1)> {
  static uint16_t run() { return static_cast<uint16_t>(-1); }
};

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

}  // namespace

int main() {
  baton::board::start();
  const bool slept = sweep<rests - 1>::run() > 2 * turns_beyond;
  print(slept ? "verdict: good\n" : "verdict: bad, the alarm comes too early to be slept for\n");
  baton::board::finish(slept ? 0 : 1);
}
