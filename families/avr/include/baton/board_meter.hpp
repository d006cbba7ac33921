// SPDX-License-Identifier: MIT
#pragma once

#include <baton/avr/marks_meter.hpp>

namespace baton {
namespace board {

/// The simulator's runner counts. The presets for real boards put another <baton/board_meter.hpp>
/// before this one.
using meter = avr_marks_meter;

}  // namespace board
}  // namespace baton
