// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/variant.hpp>

/// Service-provider interface of async: waiting for another thread without a lock.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton::BATON_VARIANT::async {
namespace detail {

/// A port that can let another thread run first; where there are no others, nothing.
template <typename Port>
auto give_way_in(int) -> decltype(Port::give_way()) {
  return Port::give_way();
}
template <typename Port>
void give_way_in(long) {}

}  // namespace detail

namespace spi {

/// Lets another thread run first, where the port has threads.
/// Context  any thread, in a loop that waits for a few instructions of another thread.
BATON_INLINE void give_way() {
  detail::give_way_in<port>(0);
}

}  // namespace spi
}  // namespace baton::BATON_VARIANT::async
