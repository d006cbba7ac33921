// SPDX-License-Identifier: MIT
//
// Starts the crystal of 16 MHz in place of the chip's own oscillator, which is too inaccurate for a
// serial line. The wait is limited, so that a board with a broken crystal comes up, too.
//
// Source   nRF51 Series Reference Manual, "Clock management (CLOCK)"
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
enum { task_start_crystal = 0x40000000, event_crystal_started = 0x40000100 };

void baton_chip_start(void) {
  REGISTER(event_crystal_started) = 0;
  REGISTER(task_start_crystal) = 1;
  for (uint32_t turns = 10000; turns && !REGISTER(event_crystal_started); --turns) {
  }
}
