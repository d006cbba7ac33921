// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/pin.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The levels of pin P0.`Number`, for `devices::polled_pin`.
///
/// Shape    no state.
/// Cost     a load or a store each; `configure` two stores.
/// Source   nRF51 Series Reference Manual, "General-Purpose Input/Output (GPIO)"
template <uint8_t Number>
struct nrf51_levels {
  static_assert(Number < 32, "baton: the nRF51 has the pins 0 to 31");

  static void configure(devices::pin_mode mode) {
    write(mode == devices::pin_mode::output_high);
    const uint32_t pull_up = mode == devices::pin_mode::input_pullup ? 3u << 2 : 0;
    at(configuration) = (devices::is_output(mode) ? 1u : 0) | pull_up;  // the input buffer stays connected
  }
  static bool read() { return at(input) & bit; }
  static void write(bool level) { at(level ? output_set : output_clear) = bit; }

 private:
  enum : uint16_t { output_set = 0x508, output_clear = 0x50c, input = 0x510, configuration = 0x700 + 4 * Number };
  static constexpr uint32_t bit = 1u << Number;

  static volatile uint32_t& at(uint16_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x50000000 + offset); }
};

}  // namespace board
}  // namespace baton
