// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/status.hpp>
#include <baton/devices/contract.hpp>

/// The contract of a serial line.
///
/// A line is a type with the constant and the four static functions below. The type holds the rate
/// and the size of the store of received bytes. Code for any line is a template over that type, and
/// checks it with `static_assert(baton::devices::is_uart<Uart>(), "")`.
///   - `counts_lost`: a constant, whether lost bytes are reported.
///   - `void open()`: starts transmitter and receiver. Received bytes are stored from this call on.
///   - `status write(uint8_t)`: hands a byte to the transmitter and never waits. `full`: the
///     transmitter has no room, and nothing was sent.
///   - `status read(uint8_t&)`: takes the oldest received byte and never waits. `empty`: there is
///     none, and the byte is left as it was. `truncated`: bytes were lost at this place of the
///     stream, and the byte is their number, at most 255.
///   - `void listen(isr_signal*)`: from this call on, the signal is set by each byte that comes in,
///     and, after a `write()` that found no room, as soon as there is room; a null pointer ends
///     that.
///
/// Context  a job or main: one domain. The signal is set by an interrupt, or by a job of the
///          provider where the provider says so. A signal is a bit: read until `empty` before the
///          next wait. A provider may set the signal without a byte.
namespace baton {
namespace devices {
namespace detail {

BATON_DEVICES_HAS(counts_lost, bool, !Device::counts_lost)
BATON_DEVICES_HAS(open, void, Device::open())
BATON_DEVICES_HAS(uart_write, status, Device::write(value<uint8_t>()))
BATON_DEVICES_HAS(uart_read, status, Device::read(value<uint8_t&>()))

}  // namespace detail

/// True for a serial line; any other type is one compile error, which names the missing member.
template <typename Uart>
constexpr bool is_uart() {
  static_assert(detail::has_counts_lost<Uart>(0), "baton: a UART needs `static constexpr bool counts_lost`");
  static_assert(detail::has_open<Uart>(0), "baton: a UART needs `static void open()`");
  static_assert(detail::has_uart_write<Uart>(0), "baton: a UART needs `static baton::status write(uint8_t)`");
  static_assert(detail::has_uart_read<Uart>(0), "baton: a UART needs `static baton::status read(uint8_t&)`");
  static_assert(detail::has_listen<Uart>(0), "baton: a UART needs `static void listen(baton::isr_signal*)`");
  return true;
}

}  // namespace devices
}  // namespace baton
