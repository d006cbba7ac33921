// SPDX-License-Identifier: MIT
#pragma once

// Source   STM32F10xxx reference manual (RM0008), "Interrupt and exception vectors"
#define BATON_INTERRUPTS 60
#define BATON_UART_INTERRUPT 37      // USART1
#define BATON_SOFTWARE_INTERRUPT 43  // two devices that only larger chips have
