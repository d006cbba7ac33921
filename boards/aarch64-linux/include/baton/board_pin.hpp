// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/fake_pin.hpp>

namespace baton {
namespace board {

// This machine has no pins: a fake, which a test or a coroutine drives.
using button_pin = devices::fake_pin<0>;

}  // namespace board
}  // namespace baton
