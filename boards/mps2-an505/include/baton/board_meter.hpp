// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/meter.hpp>

namespace baton {
namespace board {

using meter = instructions_meter;

}  // namespace board
}  // namespace baton
