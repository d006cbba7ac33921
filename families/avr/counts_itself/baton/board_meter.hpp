// SPDX-License-Identifier: MIT
#pragma once

#include <baton/avr/timer_meter.hpp>

namespace baton {
namespace board {

/// A real board counts its cycles itself.
using meter = avr_timer_meter;

}  // namespace board
}  // namespace baton
