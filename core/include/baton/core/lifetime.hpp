// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/require.hpp>

/// Names the object that is destroyed in a program that states that nothing dies, before
/// BATON_REQUIRE destroyed_though_nothing_dies stops the program. `destructor` holds the type.
///
/// Context  the destructor. A program replaces the function, which does nothing, by defining one of
///          this name in a source that does not include this header.
extern "C" __attribute__((weak, noinline, cold)) void baton_destroyed(const void*, const char*) {}

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

/// True if the destructor of `object` has to take it out of the lists. The destructor of a global
/// object is in every program, also in one that never ends; a program all of whose jobs and
/// primitives live as long as it runs states so, and has no destructor.
///
/// Errors   BATON_REQUIRE destroyed_though_nothing_dies, where the port checks the statement, after
///          `baton_destroyed` has named the object.
BATON_INLINE bool may_die(const void* object, const char* destructor) {
  if (!states_that_nothing_dies<port>(0)) return true;
  if (checks_that_nothing_dies<port>(0)) {
    ::baton_destroyed(object, destructor);
    BATON_REQUIRE(destroyed_though_nothing_dies, false);
  }
  return false;
}

}  // namespace detail
}  // namespace baton
