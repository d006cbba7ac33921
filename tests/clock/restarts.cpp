// SPDX-License-Identifier: MIT
//
// Sets an alarm that comes at once while an earlier one is about to end the hardware's period, at
// every phase of the two: the clock goes on and does not jump.
#include <baton/core.hpp>

#include "../interrupts/verdict.hpp"

namespace {

using baton::port;

constexpr baton::tick longest_reading = 200;  // between two readings with an alarm between them

void wait(uint32_t loops) {
  while (loops--) __asm__ volatile("" ::: "memory");
}

}  // namespace

int main() {
  baton::board::start();
  uint32_t jumps = 0;
  for (baton::tick ahead = 5; ahead < 25; ++ahead) {
    for (uint32_t loops = 0; loops < 200; ++loops) {
      const baton::tick before = port::now();
      port::alarm(before + ahead);
      wait(loops);
      port::alarm(port::now() + 2 + loops % 3);
      if (port::now() - before > longest_reading) ++jumps;
    }
  }
  verdict::line("jumps", jumps);
  verdict::give(jumps == 0);
}
