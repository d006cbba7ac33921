// SPDX-License-Identifier: MIT
#pragma once

#include <baton/aarch64/interrupts.hpp>
#include <baton/board.hpp>

namespace baton {
namespace board {

namespace detail {
inline void let_uart_interrupt() {
  gic::let_through(gic::uart);
}
}  // namespace detail

using serial_in = arm_serial_in<detail::uart, detail::let_uart_interrupt>;

}  // namespace board
}  // namespace baton

// The handler stands here and not in a library, so that it exists only in programs that receive.
// Exactly one source file of such a program includes this header.
extern "C" __attribute__((used, externally_visible)) void baton_uart_handler() {
  baton::board::serial_in::on_interrupt();
}
