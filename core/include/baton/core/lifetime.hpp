// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/require.hpp>

namespace baton {
namespace detail {

template <typename Port>
constexpr bool states_that_nothing_dies(int, decltype(Port::nothing_dies)* = nullptr) {
  return Port::nothing_dies;
}
template <typename Port>
constexpr bool states_that_nothing_dies(long) {
  return false;
}

template <typename Port>
constexpr bool checks_that_nothing_dies(int, decltype(Port::checks_that_nothing_dies)* = nullptr) {
  return Port::checks_that_nothing_dies;
}
template <typename Port>
constexpr bool checks_that_nothing_dies(long) {
  return false;
}

/// True if a destructor has to take its object out of the lists. The destructor of a global object
/// is in every program, also in one that never ends; a program all of whose jobs and primitives
/// live as long as it runs states so, and has no destructor.
/// Errors   BATON_REQUIRE destroyed_though_nothing_dies, where the port checks the statement.
BATON_INLINE bool may_die() {
  if (!states_that_nothing_dies<port>(0)) return true;
  if (checks_that_nothing_dies<port>(0)) BATON_REQUIRE(destroyed_though_nothing_dies, false);
  return false;
}

}  // namespace detail
}  // namespace baton
