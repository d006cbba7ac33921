// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/clock_meter.hpp>

namespace baton {
namespace board {

/// On a real board nobody counts from outside.
using meter = clock_meter;

}  // namespace board
}  // namespace baton
