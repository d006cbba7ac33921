// SPDX-License-Identifier: MIT
#pragma once

// Source   RP2040 data sheet, "Interrupts"
#define BATON_INTERRUPTS 26
#define BATON_UART_INTERRUPT 20  // UART0
