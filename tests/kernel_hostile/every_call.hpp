// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

namespace hostile {

/// The numbers of calls, as a type.
template <uint8_t... Numbers>
struct numbers {};
template <uint8_t End, uint8_t... Numbers>
struct numbers_to : numbers_to<End - 1, End - 1, Numbers...> {};
template <uint8_t... Numbers>
struct numbers_to<0, Numbers...> {
  using type = numbers<Numbers...>;
};
using every_call = numbers_to<kernel::calls>::type;

/// Puts the function of each call into the program, which makes them by number alone.
template <uint8_t... Numbers>
inline void link_all(numbers<Numbers...>) {
  const int each[] = {(kernel::spi::link_call<static_cast<kernel::call_number>(Numbers)>(), 0)...};
  static_cast<void>(each);
}

}  // namespace hostile
