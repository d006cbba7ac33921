// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/status.hpp>
#include <baton/devices/contract.hpp>

/// The contract of an analog-to-digital converter's channel.
///
/// A channel is a type with the constant and the four static functions below. Code for any channel
/// is a template over that type, and asserts `baton::devices::is_adc<Adc>()`.
///   - `full_scale`: a constant, the greatest reading; it stands for the reference voltage.
///   - `status start()`: starts a conversion. `full`: the converter is busy, perhaps with another
///     channel, and nothing was started.
///   - `bool ready()`: the conversion that was started last has ended.
///   - `uint16_t read()`: its result, from 0 to `full_scale`; the same until the next start.
///   - `void listen(isr_signal*)`: from the next start on, the end of each conversion of this
///     channel sets the signal; a null pointer ends that.
///
/// Context  a job or main: one domain. The signal is set by an interrupt, or within `start()` where
///          a provider converts at once. Channels of one converter share it: read a result before
///          another channel starts.
namespace baton {
namespace devices {
namespace detail {

BATON_DEVICES_HAS(start, status, Device::start())
BATON_DEVICES_HAS(ready, bool, Device::ready())
BATON_DEVICES_HAS(adc_read, uint16_t, Device::read())
BATON_DEVICES_HAS(full_scale, bool, Device::full_scale > 0)

}  // namespace detail

/// True for a channel; any other type is one compile error, which names the missing member.
template <typename Adc>
constexpr bool is_adc() {
  static_assert(detail::has_full_scale<Adc>(0), "baton: an ADC needs `static constexpr uint16_t full_scale`");
  static_assert(detail::has_start<Adc>(0), "baton: an ADC needs `static baton::status start()`");
  static_assert(detail::has_ready<Adc>(0), "baton: an ADC needs `static bool ready()`");
  static_assert(detail::has_adc_read<Adc>(0), "baton: an ADC needs `static uint16_t read()`");
  static_assert(detail::has_listen<Adc>(0), "baton: an ADC needs `static void listen(baton::isr_signal*)`");
  return true;
}

}  // namespace devices
}  // namespace baton
