// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>

namespace test_core {

// Each variant defines the following functions.

/// Starts console and clock, and lets interrupts come.
void start();

/// Microseconds since `start()`.
/// Context  anywhere, an interrupt included. A clock that ticks loses a tick where interrupts stay
///          masked for longer than a millisecond.
uint64_t elapsed_us();

/// Lets the processor call `on_pin_interrupt()` in an interrupt, as soon as interrupts are on.
void pend_pin_interrupt();

/// Calls the handlers of the pins that have changed. The variant's interrupt calls it.
void on_pin_interrupt();

}  // namespace test_core
