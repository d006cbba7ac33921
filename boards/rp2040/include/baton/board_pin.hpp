// SPDX-License-Identifier: MIT
#pragma once

#include <baton/rp2040/pin.hpp>

namespace baton {
namespace board {

// GPIO2. A button connects it to ground.
using button_pin = rp2040_pin<2>;

}  // namespace board
}  // namespace baton

// The handler stands here and not in a library, so that it exists only in programs that use the
// pin. Exactly one source file of such a program includes this header.
extern "C" __attribute__((used, externally_visible)) void baton_pin_handler() {
  baton::board::button_pin::on_interrupt();
}
