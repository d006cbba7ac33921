// SPDX-License-Identifier: MIT
//
// Goes from the boot ROM, or a debugger, to the program: sets the vector table, then the clocks.
// The stack pointer is valid, because a starter of a program in the RAM sets it to the RAM's end.
// Every wait is limited, so a board with a broken crystal comes up, too, at some speed; the
// emulator's oscillators are ready at once.
#include <stdint.h>

extern const uint32_t baton_vectors[];

// A write to the alias of a register sets or clears the bits that are 1. (RP2040 data sheet,
// "Address Map")
enum { set_bits = 0x2000, clear_bits = 0x3000 };
enum { clocks = 0x40008000, resets = 0x4000c000, io_bank0 = 0x40014000, xosc = 0x40024000, pll_sys = 0x40028000 };
#define REGISTER(address) (*(volatile uint32_t*)(address))

// The order of the bits is alphabetic. (RP2040 data sheet, "Subsystem Resets")
enum { reset_io_bank0 = 1 << 5, reset_pads_bank0 = 1 << 8, reset_pll_sys = 1 << 12, reset_uart0 = 1 << 22 };
enum { used = reset_io_bank0 | reset_pads_bank0 | reset_pll_sys | reset_uart0, reset_done = resets + 8 };

// Range 1 to 15 MHz, enabled; the start takes a millisecond, counted in units of 256 cycles of 12
// MHz. (RP2040 data sheet, "XOSC")
enum { xosc_range_and_enable = 0xfabaa0, xosc_status = xosc + 0x04, xosc_startup = xosc + 0x0c, startup_cycles = 47 };

// 12 MHz * 120 / (6 * 5) = 48 MHz; the oscillator inside stays between 750 and 1600 MHz. (RP2040
// data sheet, "PLL")
enum { pll_power = pll_sys + 4, pll_feedback = pll_sys + 8, pll_post = pll_sys + 12 };
enum { power_down = 1 << 0, post_divider_down = 1 << 3, oscillator_down = 1 << 5 };

// Registers of the RP2040 data sheet, "Clocks".
enum {
  ref_control = clocks + 0x30,
  ref_selected = clocks + 0x38,
  sys_control = clocks + 0x3c,
  sys_divider = clocks + 0x40
};
enum { sys_selected = clocks + 0x44, peripheral_control = clocks + 0x48 };

static void await(uint32_t address, uint32_t bits) {
  for (uint32_t turns = 100000; turns && (REGISTER(address) & bits) != bits; --turns) {
  }
}

void baton_chip_start(void) {
  REGISTER(0xe000ed08) = (uint32_t)baton_vectors;  // VTOR

  REGISTER(xosc_startup) = startup_cycles;
  REGISTER(xosc) = xosc_range_and_enable;
  await(xosc_status, 1u << 31);
  REGISTER(sys_control) = 0;  // from the reference clock, while the PLL changes
  await(sys_selected, 1 << 0);
  REGISTER(ref_control) = 2;  // from the crystal
  await(ref_selected, 1 << 2);

  REGISTER(resets + set_bits) = used;
  REGISTER(resets + clear_bits) = used;
  await(reset_done, used);
  REGISTER(pll_sys) = 1;
  REGISTER(pll_feedback) = 120;
  REGISTER(pll_power + clear_bits) = power_down | oscillator_down;
  await(pll_sys, 1u << 31);
  REGISTER(pll_post) = 6 << 16 | 5 << 12;
  REGISTER(pll_power + clear_bits) = post_divider_down;

  REGISTER(sys_divider) = 1 << 8;
  REGISTER(sys_control) = 1;  // from the PLL
  await(sys_selected, 1 << 1);
  REGISTER(peripheral_control) = 1 << 11;  // on, from the system's clock

  REGISTER(io_bank0 + 0x04) = 2;  // GPIO0: UART0 TX
  REGISTER(io_bank0 + 0x0c) = 2;  // GPIO1: UART0 RX
  REGISTER(io_bank0 + 0xcc) = 5;  // GPIO25: the LED
}
