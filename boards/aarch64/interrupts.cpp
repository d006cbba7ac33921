// SPDX-License-Identifier: MIT
//
// Dispatches interrupts to their handlers.
#include <baton/aarch64/interrupts.hpp>
#include <stdint.h>

using baton::board::gic;

namespace {

constexpr uint32_t interrupt_of_nobody = 64;  // the class of an exception has 6 bits

}  // namespace

extern "C" {

// The handlers are weak: a program that has no alarm, or does not receive, holds none.
void baton_aarch64_timer() __attribute__((weak));
void baton_uart_handler() __attribute__((weak));

__attribute__((noreturn)) void baton_crash(uint32_t number);

/// Called by start.S with interrupts masked.
void baton_interrupt() {
  const uint32_t acknowledged = gic::acknowledge();
  const uint32_t number = acknowledged & 1023;
  if (number == gic::none_pending) return;  // the interrupt has gone meanwhile
  if (number == gic::timer && baton_aarch64_timer) {
    baton_aarch64_timer();
  } else if (number == gic::uart && baton_uart_handler) {
    baton_uart_handler();
  } else {
    baton_crash(interrupt_of_nobody);
  }
  gic::end(acknowledged);
}

}  // extern "C"

namespace {

/// Runs before main: the timer does not interrupt until an alarm is set.
__attribute__((constructor)) void start_interrupt_controller() {
  gic::start();
  if (baton_aarch64_timer) gic::let_through(gic::timer);
}

}  // namespace
