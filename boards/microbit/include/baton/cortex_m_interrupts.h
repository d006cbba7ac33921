// SPDX-License-Identifier: MIT
#pragma once

// Source   nRF51 Series Reference Manual, "Instantiation"
#define BATON_INTERRUPTS 32
#define BATON_UART_INTERRUPT 2
#define BATON_SOFTWARE_INTERRUPT 20  // SWI0 and SWI1, which belong to no device
#define BATON_CLOCK_INTERRUPT 8      // TIMER0: ports/nrf51
