// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {
namespace detail {

/// Source   Arm MPS2 Application Note 500, "Programmers Model"
constexpr uint32_t uart0_at = 0x40004000, fpgaio_at = 0x40028000, watchdog_at = 0x40008000;

}  // namespace detail
}  // namespace board
}  // namespace baton
