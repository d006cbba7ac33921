// SPDX-License-Identifier: MIT
//
// The vector table and the reset of a Cortex-M board. In C, because C++ has no designators of array elements; the board
// says how many interrupts its chip has, and which is the console's receiver.
#include <baton/cortex_m_interrupts.h>

typedef void (*vector)(void);

extern char __stack_top[];
void SysTick_Handler(void) __attribute__((weak, alias("baton_fault")));

// A program that receives defines it: see <baton/board_serial.hpp>.
void baton_uart_handler(void) __attribute__((weak, alias("baton_fault")));

__attribute__((noreturn)) void baton_device_start(void);
__attribute__((noreturn)) void baton_crash(unsigned number);

// What a chip needs first, its clocks for example. A board that needs it defines it; .data and .bss are not there yet.
__attribute__((weak)) void baton_chip_start(void) {}

void baton_reset(void) {
  baton_chip_start();
  baton_device_start();
}

// The number of the exception that runs is in IPSR: 3 is a hard fault, 16 the chip's first interrupt. The stack may be
// what is broken, so it starts over.
__attribute__((naked, used)) void baton_fault(void) {
  __asm__ volatile(
      "ldr r0, =__stack_top\n\t"
      "mov sp, r0\n\t"
      "mrs r0, ipsr\n\t"
      "bl baton_crash\n\t"
      ".ltorg");
}

#pragma GCC diagnostic ignored "-Wpedantic"  // a range of elements, and the address of data among functions
#pragma GCC diagnostic ignored "-Woverride-init"

__attribute__((section(".vectors"), used)) const vector baton_vectors[16 + BATON_INTERRUPTS] = {
    [0] = (vector)__stack_top,
    [1] = baton_reset,
    [2 ... 15 + BATON_INTERRUPTS] = baton_fault,
    [15] = SysTick_Handler,
    [16 + BATON_UART_INTERRUPT] = baton_uart_handler,
};
