// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>

/// Service-provider interface of core: the count of values that nobody read.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton {
namespace spi {

/// Counts a value that was handed to a job which ended before it read the value. Saturates.
/// Context  the thread of the domain.
BATON_NOINLINE inline void count_dropped_value() {
  uint16_t& dropped = domain::dropped_values();
  if (dropped != UINT16_MAX) ++dropped;
}

}  // namespace spi
}  // namespace baton
