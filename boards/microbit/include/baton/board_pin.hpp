// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/polled_pin.hpp>
#include <baton/nrf51/pin.hpp>

namespace baton {
namespace board {

// P0.17, button A, which connects it to ground. QEMU models no interrupt of a pin, so a job looks.
using button_pin = devices::polled_pin<nrf51_levels<17>>;

}  // namespace board
}  // namespace baton
