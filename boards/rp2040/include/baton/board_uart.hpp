// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/rp2040/serial_line.hpp>

namespace baton {
namespace board {

// UART0, the console's.
using serial_line = rp2040_serial_line<detail::uart>;

}  // namespace board
}  // namespace baton

// The handler stands here and not in a library, so that it exists only in programs that use the
// line. Exactly one source file of such a program includes this header.
extern "C" __attribute__((used, externally_visible)) void baton_uart_handler() {
  baton::board::serial_line::on_interrupt();
}
