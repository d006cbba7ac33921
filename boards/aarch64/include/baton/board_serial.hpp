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

// Here and not in a library: the handler exists only in programs that receive. So one source file of a program, and only
// one, includes this header.
extern "C" __attribute__((used, externally_visible)) void baton_uart_handler() {
  baton::board::serial_in::on_interrupt();
}
