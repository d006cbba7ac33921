// SPDX-License-Identifier: MIT
//
// Dispatches interrupts to their handlers.
#include <baton/versatilepb/interrupts.hpp>
#include <stdint.h>

using baton::board::vic;

extern "C" {

// The handlers are weak: a program that has no alarm, or does not receive, holds none.
void baton_armv5_timer() __attribute__((weak));
void baton_uart_handler() __attribute__((weak));

__attribute__((noreturn)) void baton_crash(uint32_t number);

/// Called by start.S with interrupts masked.
void baton_interrupt() {
  const uint32_t pending = vic::pending();
  if ((pending & vic::timers) && baton_armv5_timer) {
    baton_armv5_timer();
  } else if ((pending & vic::uart) && baton_uart_handler) {
    baton_uart_handler();
  } else {
    baton_crash(6);  // the exception's vector
  }
}

}  // extern "C"

namespace {

/// Runs before main: the timer does not interrupt until an alarm is set.
__attribute__((constructor)) void let_timer_interrupt() {
  if (baton_armv5_timer) vic::let_through(vic::timers);
}

}  // namespace
