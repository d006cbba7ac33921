// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board_console.hpp>
#include <baton/port.hpp>

namespace baton {
namespace board {

/// Starts console, LED and clock; it is the first call of main().
inline void start() {
  detail::uart::start();
  led::start();
  port::start();
}

}  // namespace board
}  // namespace baton
