// SPDX-License-Identifier: MIT
//
// Runs the chip on its own oscillator of 8 MHz, halved, times 6: 24 MHz, within 1 % and without a
// crystal. Every wait is limited: the emulator has no such registers and reads them as zero, and
// its processor runs at 24 MHz anyway.
//
// Source   STM32F100xx reference manual (RM0041), "Reset and clock control" and "General-purpose
//          I/Os"
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
enum { rcc_control = 0x40021000, rcc_configuration = 0x40021004, rcc_apb2_enable = 0x40021018 };
enum { port_a_high = 0x40010804, port_c_high = 0x40011004 };

enum { pll_on = 1 << 24, pll_ready = 1 << 25, times_6 = 4 << 18, from_pll = 2, is_from_pll = 2 << 2 };
enum { afio = 1 << 0, port_a = 1 << 2, port_c = 1 << 4, usart1 = 1 << 14 };

static void await(uint32_t address, uint32_t bits) {
  for (uint32_t turns = 1000; turns && (REGISTER(address) & bits) != bits; --turns) {
  }
}

void baton_chip_start(void) {
  REGISTER(rcc_configuration) = times_6;
  REGISTER(rcc_control) |= pll_on;
  await(rcc_control, pll_ready);
  REGISTER(rcc_configuration) = times_6 | from_pll;
  await(rcc_configuration, is_from_pll);

  // Each digit configures one pin, from pin 8 on: 4 is an input, the state after a reset; a is an
  // output of the peripheral, 2 is an output of the program.
  REGISTER(rcc_apb2_enable) = afio | port_a | port_c | usart1;
  REGISTER(port_a_high) = 0x444444a4;  // PA9: USART1 TX; PA10 stays an input, RX
  REGISTER(port_c_high) = 0x44444424;  // PC9: the green LED
}
