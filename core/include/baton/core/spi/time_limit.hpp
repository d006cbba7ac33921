// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/duration.hpp>

/// Service-provider interface of core: waits with a limit.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton {
namespace spi {

/// The type that a wait makes of a limit of type `Limit`: `duration`, unless it may be `forever`. A
/// number without a unit fails in that conversion. Each of the types has `is_finite()` and
/// `ticks()`, so that only a limit that is chosen at run time is compared.
template <typename Limit>
struct limit_of {
  using type = duration;
};
template <>
struct limit_of<forever_t> {
  using type = forever_t;
};
template <>
struct limit_of<time_limit> {
  using type = time_limit;
};

/// The limit of `count` ticks, which the caller knows to be in range; the highest count is
/// `forever`.
constexpr time_limit limit_of_ticks(tick count) {
  return time_limit(baton::detail::duration_access::of_ticks(count));
}

}  // namespace spi
}  // namespace baton
