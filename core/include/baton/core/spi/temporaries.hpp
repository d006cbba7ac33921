// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/spi/value_traits.hpp>

#if defined(__cpp_impl_coroutine) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#define BATON_DESTROYS_TEMPORARIES_TWICE 1
#else
#define BATON_DESTROYS_TEMPORARIES_TWICE 0
#endif

/// Service-provider interface of core: values that g++ 12 destroys twice.
///
/// g++ before version 13 destroys an aggregate or a lambda twice if it is written inside the
/// expression of a co_await and has a destructor. What takes such a temporary there refuses it when
/// it is compiled: docs/async-downsides.md.
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
#else
template <typename T>
constexpr bool dies_twice = false;
#endif

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

}  // namespace spi
}  // namespace baton
