// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/cortex_m/interrupts.hpp>

namespace baton {
namespace board {

using serial_in = cortex_m_serial_in<detail::uart>;

}  // namespace board
}  // namespace baton

// The handler stands here and not in a library, so that it exists only in programs that receive.
// Exactly one source file of such a program includes this header.
extern "C" __attribute__((used, externally_visible)) void baton_uart_handler() {
  baton::board::serial_in::on_interrupt();
}
