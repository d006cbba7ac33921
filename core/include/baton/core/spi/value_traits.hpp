// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/job.hpp>
#include <stddef.h>

/// Service-provider interface of core: how a value goes from one job to another.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
///
/// A hand-over has a part that may throw and a part that must not. A copy may throw, so it is made
/// first: nothing has happened yet, the exception goes to the side that hands over, and the other
/// side waits on. Then the waiter is taken out of its list. From there to its wake-up only moves
/// happen, and a type whose move may throw is refused when it is compiled. Where exceptions are
/// off, nothing throws, and every type is allowed.
namespace baton {
namespace spi {
/// The tag of core's placement new, so that it cannot be mistaken for the library's.
struct in_memory {};
}  // namespace spi
}  // namespace baton

inline void* operator new(size_t, void* where, baton::spi::in_memory) noexcept {
  return where;
}
inline void operator delete(void*, void*, baton::spi::in_memory) noexcept {}

namespace baton {
namespace spi {

#if defined(__cpp_exceptions)
constexpr bool exceptions_are_on = true;
#else
constexpr bool exceptions_are_on = false;
#endif

/// Makes an expression of the type `T`. It has no body: it is for `decltype` and `noexcept` alone.
template <typename T>
T make() noexcept;

/// The type `T`, if `Expressions` are valid.
template <typename T, typename... Expressions>
struct valid {
  using type = T;
};

/// The properties of a transfer: a value of type `T` is built and assigned from a `From`.
template <typename T, typename From, typename = bool>
struct transfer {
  static constexpr bool is_possible = false;
  static constexpr bool may_throw = false;
};
template <typename T, typename From>
struct transfer<
    T, From, typename valid<bool, decltype(static_cast<T>(make<From>())), decltype(make<T&>() = make<From>())>::type> {
  static constexpr bool is_possible = true;
  static constexpr bool may_throw =
      exceptions_are_on && !(noexcept(static_cast<T>(make<From>())) && noexcept(make<T&>() = make<From>()));
};

template <typename T, typename = bool>
struct has_default {
  static constexpr bool value = false;
};
template <typename T>
struct has_default<T, typename valid<bool, decltype(T())>::type> {
  static constexpr bool value = true;
};

/// The properties of a type whose values are sent.
///
/// Shape    a type that can be copied is copied, also from an rvalue; any other type is moved.
template <typename T>
struct value_traits {
  static constexpr bool is_copied = transfer<T, const T&>::is_possible;
  static constexpr bool copy_may_throw = is_copied && transfer<T, const T&>::may_throw;
  static constexpr bool has_default_constructor = has_default<T>::value;
  static constexpr bool move_may_throw = transfer<T, T&&>::may_throw;
  static constexpr bool is_moved = transfer<T, T&&>::is_possible;
};

/// The same, for a type that a channel holds.
template <typename T>
struct channel_value : value_traits<T> {
  static_assert(value_traits<T>::is_copied || value_traits<T>::is_moved,
                "a value that is sent must have a copy or a move, by construction and by assignment");
  static_assert(!value_traits<T>::move_may_throw,
                "the move of a value that is sent must not throw: declare its move constructor and its move "
                "assignment noexcept, or send a pointer");
};

template <bool IsCopied, typename T>
struct sent_as {
  using type = const T&;
};
template <typename T>
struct sent_as<false, T> {
  using type = T&&;
};

/// The type of a parameter that takes a value to send: `const T&`, or `T&&` if `T` can only be
/// moved.
template <typename T>
using sent = typename sent_as<channel_value<T>::is_copied, T>::type;

/// The value that a sender waits with.
template <typename T>
BATON_INLINE sent<T> sent_from(void* slot) {
  return static_cast<sent<T>>(*static_cast<T*>(slot));
}

/// `job::at` of a waiter whose slot is a `landing`, while it waits. It is never a label of a body.
constexpr point landing_mark = 0x7c;

/// Room for a value of a type without a default constructor, which its sender constructs.
template <typename T>
struct landing {
  landing() {}  // NOLINT(modernize-use-equals-default): a union with such a member has none
  landing(const landing&) = delete;
  landing& operator=(const landing&) = delete;
  ~landing() {
    if (is_full) value.~T();
  }

  template <typename From>
  void operator=(From&& from) {  // NOLINT(misc-unconventional-assign-operator): as a variable takes a value
    ::new (static_cast<void*>(&value), in_memory()) T(static_cast<From&&>(from));
    is_full = true;
  }

  union {
    T value;
  };
  bool is_full = false;
};

}  // namespace spi
}  // namespace baton
