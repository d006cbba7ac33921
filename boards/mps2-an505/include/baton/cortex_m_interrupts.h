// SPDX-License-Identifier: MIT
#pragma once

// Source   Arm MPS2 Application Note 505, "Interrupts"
#define BATON_INTERRUPTS 124
#define BATON_UART_INTERRUPT 32       // UART0, receive
#define BATON_SOFTWARE_INTERRUPT 122  // two pins of GPIO 3
