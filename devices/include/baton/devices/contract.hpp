// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/isr_signal.hpp>
#include <stdint.h>

// The detection behind `is_pin`, `is_adc` and `is_uart`: a call of each function, as a user of the
// contract writes it.

namespace baton {
namespace devices {
namespace detail {

template <typename T>
T value();

/// True if both are the same type.
template <typename Left, typename Right>
struct is_same {
  static constexpr bool value = false;
};
template <typename Same>
struct is_same<Same, Same> {
  static constexpr bool value = true;
};

/// Defines `has_NAME<Device>(0)`: whether `expression`, in which `Device` is the type, compiles and
/// is of type `result`.
#define BATON_DEVICES_HAS(name, result, ...)                                       \
  template <typename Device>                                                       \
  constexpr auto has_##name(int)->decltype(static_cast<void>(__VA_ARGS__), true) { \
    return is_same<result, decltype(__VA_ARGS__)>::value;                          \
  }                                                                                \
  template <typename>                                                              \
  constexpr bool has_##name(long) {                                                \
    return false;                                                                  \
  }

BATON_DEVICES_HAS(listen, void, Device::listen(value<isr_signal*>()))

}  // namespace detail
}  // namespace devices
}  // namespace baton
