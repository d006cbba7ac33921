// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/platform.hpp>

/// Calls of slow paths from the body of a coroutine.
namespace baton::BATON_VARIANT::async {
namespace detail {

#if BATON_HAS_SLOW_PATHS
template <auto Function, typename Result, typename... Arguments>
BATON_SLOW_PATH inline void by_slow_path(Result& to, Arguments... arguments) noexcept {
  to = Function(arguments...);
}
#endif

/// Returns `Function(arguments...)`, which is not inlined. Where the compiler can, the caller has
/// no register to save: a coroutine that would save five whenever it goes on saves none.
template <auto Function, typename... Arguments>
BATON_INLINE auto slow_path(Arguments... arguments) noexcept {
#if BATON_HAS_SLOW_PATHS
  decltype(Function(arguments...)) result;
  by_slow_path<Function>(result, arguments...);
  return result;
#else
  return Function(arguments...);
#endif
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
