// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/clock_meter.hpp>

namespace baton {
namespace board {

/// A real board counts its cycles itself.
using meter = clock_meter;

}  // namespace board
}  // namespace baton
