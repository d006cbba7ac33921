// SPDX-License-Identifier: MIT
//
// The vector table and the reset of a Cortex-M board. It is written in C, because C++ has no
// designators of array elements. The board defines the number of its chip's interrupts, which of
// them is the console's receiver, and the first of two that no device of the board raises.
#include <baton/cortex_m_interrupts.h>

typedef void (*vector)(void);

extern char __stack_top[];
void SysTick_Handler(void) __attribute__((weak, alias("baton_fault")));

// A program with a kernel defines these functions: ports/cortex_m/kernel.
void baton_svc_handler(void) __attribute__((weak, alias("baton_fault")));
void baton_pend_sv_handler(void) __attribute__((weak, alias("baton_fault")));
void baton_task_fault(void) __attribute__((weak, alias("baton_fault")));

// A program with a watchdog whose warning is an NMI defines this function: see
// <baton/board_watchdog.hpp>.
void baton_nmi_handler(void) __attribute__((weak, alias("baton_fault")));

// A clock that is not SysTick defines this function.
void baton_clock_handler(void) __attribute__((weak, alias("baton_fault")));

// A program that receives defines this function: see <baton/board_serial.hpp>.
void baton_uart_handler(void) __attribute__((weak, alias("baton_fault")));

// A program that uses these devices defines these functions: see <baton/board_pin.hpp> and
// <baton/board_adc.hpp>.
void baton_pin_handler(void) __attribute__((weak, alias("baton_fault")));
void baton_adc_handler(void) __attribute__((weak, alias("baton_fault")));

// A program that pends the board's software interrupts defines these functions: see
// <baton/cortex_m/software_interrupt.hpp>.
void baton_software_handler(void) __attribute__((weak, alias("baton_fault")));
void baton_other_software_handler(void) __attribute__((weak, alias("baton_fault")));

__attribute__((noreturn)) void baton_device_start(void);
__attribute__((noreturn)) void baton_crash(unsigned number);

// A board whose chip has to be prepared first, for example its clocks, defines this function. .data
// and .bss are not initialized yet.
__attribute__((weak)) void baton_chip_start(void) {}

void baton_reset(void) {
  baton_chip_start();
  baton_device_start();
}

// Calls the emulator, or a debugger that offers semihosting. Only the end of a program makes this
// call.
__attribute__((naked, used)) void baton_semihosting(unsigned operation, const unsigned* parameters) {
  (void)operation, (void)parameters;
  __asm__ volatile("bkpt 0xab\n\tbx lr");
}

// IPSR holds the number of the running exception: 3 is a hard fault, 16 the chip's first interrupt.
// The stack may be broken, so it is reset. Without an emulator or a debugger, the end of the
// program faults too, at the breakpoint above; then the processor sleeps.
__attribute__((naked, used)) void baton_fault(void) {
  __asm__ volatile(
      "mov r0, sp\n\t"
      "ldr r1, =__stack_limit\n\t"
      "cmp r0, r1\n\t"
      "bcc 2f\n\t"
      "ldr r0, [sp, #24]\n\t"  // the address of the fault
      "add r0, #1\n\t"
      "ldr r1, =baton_semihosting\n\t"
      "cmp r0, r1\n\t"
      "beq 1f\n\t"
      "2: ldr r0, =__stack_top\n\t"
      "mov sp, r0\n\t"
      "mrs r0, ipsr\n\t"
      "bl baton_crash\n\t"
      "1: wfi\n\t"
      "b 1b\n\t"
      ".ltorg");
}

#pragma GCC diagnostic ignored "-Wpedantic"  // a range of elements, and the address of data among functions
#pragma GCC diagnostic ignored "-Woverride-init"

__attribute__((section(".vectors"), used)) const vector baton_vectors[16 + BATON_INTERRUPTS] = {
    [0] = (vector)__stack_top,
    [1] = baton_reset,
    [2 ... 15 + BATON_INTERRUPTS] = baton_fault,
    [2] = baton_nmi_handler,
    [3 ... 6] = baton_task_fault,
#ifdef __ARM_ARCH_8M_MAIN__
    [7] = baton_task_fault,  // SecureFault
#endif
    [11] = baton_svc_handler,
    [14] = baton_pend_sv_handler,
    [15] = SysTick_Handler,
    [16 + BATON_UART_INTERRUPT] = baton_uart_handler,
    [16 + BATON_SOFTWARE_INTERRUPT] = baton_software_handler,
    [17 + BATON_SOFTWARE_INTERRUPT] = baton_other_software_handler,
#ifdef BATON_CLOCK_INTERRUPT
    [16 + BATON_CLOCK_INTERRUPT] = baton_clock_handler,
#endif
#ifdef BATON_PIN_INTERRUPT
    [16 + BATON_PIN_INTERRUPT] = baton_pin_handler,
    [16 + BATON_ADC_INTERRUPT] = baton_adc_handler,
#endif
};
