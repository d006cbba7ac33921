// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/hosted/uart.hpp>

namespace baton {
namespace board {

using serial_line = hosted_uart;

}  // namespace board
}  // namespace baton
