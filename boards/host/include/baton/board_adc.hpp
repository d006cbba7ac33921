// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/fake_adc.hpp>

namespace baton {
namespace board {

// This machine has no converter: a fake, which a test or a coroutine supplies.
using analog_input = devices::fake_adc<0>;

}  // namespace board
}  // namespace baton
