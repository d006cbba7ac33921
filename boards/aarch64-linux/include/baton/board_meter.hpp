// SPDX-License-Identifier: MIT
#pragma once

#include <baton/arm/marks_meter.hpp>

namespace baton {
namespace board {

using meter = arm_marks_meter;

}  // namespace board
}  // namespace baton
