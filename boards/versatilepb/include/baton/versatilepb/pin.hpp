// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/pin.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The levels of pin `Number` of GPIO0, for `devices::polled_pin`. A pull-up is on the board, or
/// there is none.
///
/// Shape    no state.
/// Cost     a load or a store each; `configure` a load and two stores.
/// Source   PrimeCell GPIO (PL061) TRM (DDI 0190), "Programmer's model": an address of the data
///          register is also the mask of its bits.
template <uint8_t Number>
struct pl061_levels {
  static_assert(Number < 8, "baton: a PL061 has the pins 0 to 7");

  static void configure(devices::pin_mode mode) {
    const bool level = mode == devices::pin_mode::output_high;
    write(level || mode == devices::pin_mode::input_pullup);  // an output is high before it is pulled up
    at(direction) = devices::is_output(mode) ? at(direction) | bit : at(direction) & ~bit;
    write(level);  // the data register takes only outputs
  }
  static bool read() { return at(bit << 2) != 0; }
  static void write(bool level) { at(bit << 2) = level ? bit : 0; }

 private:
  static constexpr uint32_t direction = 0x400, bit = 1u << Number;

  static volatile uint32_t& at(uint32_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x101e4000 + offset); }
};

}  // namespace board
}  // namespace baton
