// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board_serial.hpp>
#include <baton/devices/console_line.hpp>

namespace baton {
namespace board {

// The console's line. Exactly one source file of a program includes this header, as it does
// <baton/board_serial.hpp>.
using serial_line = devices::console_line<console, serial_in>;

}  // namespace board
}  // namespace baton
