// SPDX-License-Identifier: MIT
//
// Runs the chip on the board's crystal of 8 MHz, times 9: 72 MHz. The flash then needs two wait
// states, and the slower bus half the clock. Every wait is limited, so a board with a broken
// crystal comes up, too, on its own oscillator and with a console at another rate.
//
// Source   STM32F10xxx reference manual (RM0008), "Reset and clock control", "General-purpose I/Os"
//          and "FLASH_ACR"
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
enum { rcc_control = 0x40021000, rcc_configuration = 0x40021004, rcc_apb2_enable = 0x40021018 };
enum { flash_access = 0x40022000, port_a_high = 0x40010804, port_c_high = 0x40011004 };

enum { crystal_on = 1 << 16, crystal_ready = 1 << 17, pll_on = 1 << 24, pll_ready = 1 << 25 };
enum { crystal_times_9 = 1 << 16 | 7 << 18, slow_bus_halved = 4 << 8, from_pll = 2, is_from_pll = 2 << 2 };
enum { prefetch = 1 << 4, two_wait_states = 2 };
enum { afio = 1 << 0, port_a = 1 << 2, port_c = 1 << 4, usart1 = 1 << 14 };

static int comes(uint32_t address, uint32_t bits) {
  for (uint32_t turns = 100000; turns; --turns) {
    if ((REGISTER(address) & bits) == bits) return 1;
  }
  return 0;
}

void baton_chip_start(void) {
  REGISTER(flash_access) = prefetch | two_wait_states;
  REGISTER(rcc_control) |= crystal_on;
  if (comes(rcc_control, crystal_ready)) {
    REGISTER(rcc_configuration) = crystal_times_9 | slow_bus_halved;
    REGISTER(rcc_control) |= pll_on;
    if (comes(rcc_control, pll_ready)) {
      REGISTER(rcc_configuration) = crystal_times_9 | slow_bus_halved | from_pll;
      comes(rcc_configuration, is_from_pll);
    }
  }

  // Each digit configures one pin, from pin 8 on: 4 is an input, the state after a reset; a is an
  // output of the peripheral, 2 is an output of the program.
  REGISTER(rcc_apb2_enable) = afio | port_a | port_c | usart1;
  REGISTER(port_a_high) = 0x444444a4;  // PA9: USART1 TX; PA10 stays an input, RX
  REGISTER(port_c_high) = 0x44244444;  // PC13: the LED
}
