// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/spi/value_traits.hpp>

#if defined(__cpp_impl_coroutine)
#if !__has_builtin(__is_convertible)  // g++ has it from 13 on, and clang 14
#define BATON_DESTROYS_TEMPORARIES_TWICE 1
#endif
#endif
#ifndef BATON_DESTROYS_TEMPORARIES_TWICE
#define BATON_DESTROYS_TEMPORARIES_TWICE 0
#endif
/// Service-provider interface of core: an aggregate or a lambda that g++ 12 destroys twice, because
/// it has a destructor and is written inside the expression of a co_await. What takes one there
/// refuses it when it is compiled: docs/async-downsides.md.
namespace baton {
namespace spi {

template <typename T, typename = bool>
struct is_assigned {
  static constexpr bool value = false;
};
template <typename T>
struct is_assigned<T, typename valid<bool, decltype(make<T&>() = make<T&&>())>::type> {
  static constexpr bool value = true;
};

#if BATON_DESTROYS_TEMPORARIES_TWICE
/// True if a temporary `T` is destroyed twice. A lambda with captures cannot be assigned.
template <typename T>
constexpr bool dies_twice = !__has_trivial_destructor(T) && (__is_aggregate(T) || !is_assigned<T>::value);
#elif defined(__cpp_variable_templates)
template <typename T>
constexpr bool dies_twice = false;
#endif
#if defined(__cpp_variable_templates)
/// True if a temporary `T` is refused. A type that is only moved is not: its variable is an rvalue,
/// too.
template <typename T>
constexpr bool refuses_temporary = dies_twice<T> && value_traits<T>::is_copied;

/// For the body of a function that takes such a temporary.
template <typename T>
constexpr void refuse_temporary() {
  static_assert(!sizeof(T*),
                "g++ 12 destroys this temporary twice: make it a variable, or give its type a constructor");
}
#endif
}  // namespace spi
}  // namespace baton
