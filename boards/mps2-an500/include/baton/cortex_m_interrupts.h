// SPDX-License-Identifier: MIT
#pragma once

// Source   Arm MPS2 Application Note 500, "Interrupts"
#define BATON_INTERRUPTS 32
#define BATON_UART_INTERRUPT 0       // UART0, receive
#define BATON_SOFTWARE_INTERRUPT 30  // two pins of GPIO 0
