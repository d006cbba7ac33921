// SPDX-License-Identifier: MIT
#pragma once

#include <baton/lx106/cycle_meter.hpp>

namespace baton {
namespace board {

/// There is no emulator of this board, so it always counts its cycles itself.
using meter = cycle_meter;

}  // namespace board
}  // namespace baton
