// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board_console.hpp>
#include <baton/mps2_privileges.hpp>
#include <baton/port.hpp>

namespace baton {
namespace board {

/// Starts console and clock; it is the first call of main().
inline void start() {
  detail::open_devices();
  detail::uart::start();
  port::start();
}

}  // namespace board
}  // namespace baton
