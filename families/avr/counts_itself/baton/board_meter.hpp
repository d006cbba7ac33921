// SPDX-License-Identifier: MIT
#pragma once

#include <baton/avr/timer_meter.hpp>

namespace baton {
namespace board {

/// On a real board nobody counts from outside.
using meter = avr_timer_meter;

}  // namespace board
}  // namespace baton
