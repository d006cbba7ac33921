// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {
namespace detail {

/// Source   Arm MPS2 Application Note 505, "Programmers Model", Secure addresses
constexpr uint32_t uart0_at = 0x50200000, fpgaio_at = 0x50302000, watchdog_at = 0x50081000;

}  // namespace detail
}  // namespace board
}  // namespace baton
