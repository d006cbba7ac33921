// SPDX-License-Identifier: MIT
#pragma once

// Source   K20 Sub-Family Reference Manual (K20P64M72SF1RM), "Interrupt vector assignments"
#define BATON_INTERRUPTS 95
#define BATON_UART_INTERRUPT 45      // UART0 status
#define BATON_SOFTWARE_INTERRUPT 93  // a number without a device, and the software interrupt
