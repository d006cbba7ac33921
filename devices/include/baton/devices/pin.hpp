// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/contract.hpp>

/// The contract of a pin.
///
/// A pin is a type with the four static functions below. Code for any pin is a template over that
/// type, and checks it with `static_assert(baton::devices::is_pin<Pin>(), "")`.
///   - `void configure(pin_mode)`: makes the pin an input, an input with a pull-up, or an output,
///     which has its first level at once.
///   - `bool read()`: the level of the pin, true for high; that of an output is the written one, a
///     few clock cycles after the write.
///   - `void write(bool)`: sets the level of an output.
///   - `void listen(isr_signal*)`: from this call on, each change of the level sets the signal, at
///     an output too, and nothing else does; a null pointer ends that. A change before the call
///     sets nothing.
///
/// Context  a job or main: one domain. The signal is set by an interrupt, or by a job of the
///          provider where the provider says so. A signal is a bit: several changes before the
///          waiter runs are one, and the waiter reads the pin. A pulse that is over before the
///          interrupt looks may set nothing.
/// Cost     on a microcontroller an access to one register each; `listen` to a few.
namespace baton {
namespace devices {

/// The direction of a pin: an input, with or without a pull-up, or an output that is low or high at
/// first.
enum class pin_mode : uint8_t { input, input_pullup, output, output_high };

constexpr bool is_output(pin_mode mode) {
  return mode >= pin_mode::output;
}

namespace detail {

BATON_DEVICES_HAS(configure, void, Device::configure(pin_mode::input))
BATON_DEVICES_HAS(pin_read, bool, Device::read())
BATON_DEVICES_HAS(pin_write, void, Device::write(true))

}  // namespace detail

/// True for a pin; any other type is one compile error, which names the missing function.
template <typename Pin>
constexpr bool is_pin() {
  static_assert(detail::has_configure<Pin>(0), "baton: a pin needs `static void configure(baton::devices::pin_mode)`");
  static_assert(detail::has_pin_read<Pin>(0), "baton: a pin needs `static bool read()`");
  static_assert(detail::has_pin_write<Pin>(0), "baton: a pin needs `static void write(bool)`");
  static_assert(detail::has_listen<Pin>(0), "baton: a pin needs `static void listen(baton::isr_signal*)`");
  return true;
}

}  // namespace devices
}  // namespace baton
