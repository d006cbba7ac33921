// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/polled_pin.hpp>
#include <baton/versatilepb/pin.hpp>

namespace baton {
namespace board {

// GPIO0, bit 0. A button connects it to ground. The board's interrupts leave out its pins, so a job
// looks.
using button_pin = devices::polled_pin<pl061_levels<0>>;

}  // namespace board
}  // namespace baton
