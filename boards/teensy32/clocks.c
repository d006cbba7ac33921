// SPDX-License-Identifier: MIT
//
// Stops the watchdog, which runs after a reset and allows 256 bus cycles for that, then runs the
// chip on the board's crystal of 16 MHz, / 6 * 27: 72 MHz, with the bus at 36 and the flash at 24.
// Every wait is limited, so a board with a broken crystal comes up, too, on its own oscillator and
// with a console at another rate.
//
// Source   K20 Sub-Family Reference Manual (K20P64M72SF1RM): "Watchdog Timer", "Multipurpose Clock
//          Generator", "System Integration Module", "Port control", "Flash configuration field"
#include <stdint.h>

#define REGISTER8(address) (*(volatile uint8_t*)(address))
#define REGISTER16(address) (*(volatile uint16_t*)(address))
#define REGISTER(address) (*(volatile uint32_t*)(address))

enum { watchdog_control = 0x40052000, watchdog_unlock = 0x4005200e, watchdog_may_change = 1 << 4 };
enum { gates_4 = 0x40048034, gates_5 = 0x40048038, dividers = 0x40048044 };
enum { gate_uart0 = 1 << 10, gate_port_b = 1 << 10, gate_port_c = 1 << 11 };
enum { bus_halved_flash_by_3 = 1 << 24 | 2 << 16 };
enum { mcg_c1 = 0x40064000, mcg_c2 = 0x40064001, mcg_c5 = 0x40064004, mcg_c6 = 0x40064005, mcg_status = 0x40064006 };
enum { oscillator = 0x40065000, oscillator_on_with_10_pf = 1 << 7 | 1 << 3 | 1 << 1 };
enum { high_range_crystal = 2 << 4 | 1 << 2, from_crystal = 2 << 6, by_512 = 4 << 3, pll = 1 << 6 };
enum { crystal_ready = 1 << 1, clock_source = 3 << 2, is_crystal = 2 << 2, is_pll = 3 << 2 };
enum { internal_reference = 1 << 4, pll_selected = 1 << 5, pll_locked = 1 << 6 };
enum { port_b_16 = 0x4004a040, port_b_17 = 0x4004a044, port_c_5 = 0x4004b014, as_uart = 3 << 8, as_pin = 1 << 8 };

/// Allows debuggers and a mass erase, protects nothing.
__attribute__((section(".configuration"), used)) static const uint8_t flash_configuration[16] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff};

static int comes(uint8_t bits, uint8_t value) {
  for (uint32_t turns = 100000; turns; --turns) {
    if ((REGISTER8(mcg_status) & bits) == value) return 1;
  }
  return 0;
}

void baton_chip_start(void) {
  REGISTER16(watchdog_unlock) = 0xc520;
  REGISTER16(watchdog_unlock) = 0xd928;
  __asm__ volatile("nop\n\tnop");  // the lock opens one bus cycle later
  REGISTER16(watchdog_control) = watchdog_may_change;

  REGISTER8(oscillator) = oscillator_on_with_10_pf;
  REGISTER8(mcg_c2) = high_range_crystal;
  REGISTER8(mcg_c1) = from_crystal | by_512;
  if (comes(crystal_ready | internal_reference | clock_source, crystal_ready | is_crystal)) {
    REGISTER8(mcg_c5) = 6 - 1;
    REGISTER8(mcg_c6) = pll | (27 - 24);
    if (comes(pll_selected | pll_locked, pll_selected | pll_locked)) {
      REGISTER(dividers) = bus_halved_flash_by_3;
      REGISTER8(mcg_c1) = by_512;
      comes(clock_source, is_pll);
    }
  }

  REGISTER(gates_4) |= gate_uart0;
  REGISTER(gates_5) |= gate_port_b | gate_port_c;
  REGISTER(port_b_16) = as_uart;  // pin 0: UART0 RX
  REGISTER(port_b_17) = as_uart;  // pin 1: UART0 TX
  REGISTER(port_c_5) = as_pin;    // pin 13: the LED
}
