// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <stddef.h>

// Declares that a class is moved by copying its bytes and forgetting the source. A toolchain
// defines the macro if its compiler passes every class by bytes (clang for AVR:
// cmake/toolchains/avr-clang.cmake). The callee destroys a parameter there; without the attribute
// the caller would destroy it too.
#ifndef BATON_MOVES_AS_BYTES
#define BATON_MOVES_AS_BYTES
#endif

/// The few parts of the C++ library that async needs, for boards that have no C++ library.
namespace baton::BATON_VARIANT::async {
namespace detail {

struct in_place {};

template <typename T>
struct plain_type {
  using type = T;
};
template <typename T>
struct plain_type<T&> {
  using type = T;
};
template <typename T>
struct plain_type<T&&> {
  using type = T;
};

template <typename T>
using plain_type_of = typename plain_type<T>::type;

template <typename T>
struct same_type {
  using type = T;
};
/// `T`, which is not deduced from a parameter of this type.
template <typename T>
using exactly = typename same_type<T>::type;

template <typename T>
constexpr typename plain_type<T>::type&& move(T&& value) noexcept {
  return static_cast<typename plain_type<T>::type&&>(value);
}

template <typename T>
constexpr T&& forward(typename plain_type<T>::type& value) noexcept {
  return static_cast<T&&>(value);
}

template <typename T>
constexpr T exchange(T& old, T by) noexcept {
  T was = detail::move(old);
  old = detail::move(by);
  return was;
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async

/// Constructs an object in existing memory. The tag type is ours, so the operator cannot be
/// mistaken for the library's placement new.
inline void* operator new(size_t, void* where, baton::async::detail::in_place) noexcept {
  return where;
}
inline void operator delete(void*, void*, baton::async::detail::in_place) noexcept {}
