// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board_console.hpp>
#include <baton/port.hpp>

namespace baton {
namespace board {

/// Starts console and clock; the first line of main().
inline void start() {
  detail::uart::start();
  port::start();
}

}  // namespace board
}  // namespace baton
