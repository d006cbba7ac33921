// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace bench {

/// True if the program itself has the count of an interval, as on a real board: its meter then has
/// `elapsed_cycles()`. Elsewhere the program's runner counts, and fills in `key=#K`.
template <typename Meter, typename = uint32_t>
struct self_counting {
  static constexpr bool exists = false;
  static constexpr uint32_t read() { return 0; }
};

template <typename Meter>
struct self_counting<Meter, decltype(Meter::elapsed_cycles())> {
  static constexpr bool exists = true;
  static uint32_t read() { return Meter::elapsed_cycles(); }
};

}  // namespace bench
}  // namespace baton
