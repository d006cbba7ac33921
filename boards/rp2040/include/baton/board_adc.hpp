// SPDX-License-Identifier: MIT
#pragma once

#include <baton/rp2040/adc.hpp>

namespace baton {
namespace board {

// Channel 0, GPIO26.
using analog_input = rp2040_adc<0>;

}  // namespace board
}  // namespace baton

// The handler stands here and not in a library, so that it exists only in programs that use the
// ADC. Exactly one source file of such a program includes this header.
extern "C" __attribute__((used, externally_visible)) void baton_adc_handler() {
  baton::board::rp2040_converter::on_interrupt();
}
