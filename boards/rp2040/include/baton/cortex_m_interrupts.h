// SPDX-License-Identifier: MIT
#pragma once

// Source   RP2040 data sheet, "Interrupts"
#define BATON_INTERRUPTS 26
#define BATON_UART_INTERRUPT 20  // UART0
#define BATON_PIN_INTERRUPT 13   // IO_IRQ_BANK0
#define BATON_ADC_INTERRUPT 22   // ADC_IRQ_FIFO
// This number and the next are of the second I2C and the real-time clock: the numbers without a
// device are beyond the table.
#define BATON_SOFTWARE_INTERRUPT 24
