// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/missing_capability.hpp>
#include <baton/core/ticks.hpp>

// The arithmetic of durations: what duration.hpp takes for a number, a reading of the clock or a
// duration of std::chrono, and how it counts ticks. Each function is one expression, so that it is
// a constant expression in C++11, too.
namespace baton {
namespace detail {

template <bool Condition>
struct only_if {};
template <>
struct only_if<true> {
  using type = void;
};
template <typename A, typename B>
struct is_same_type {
  static constexpr bool value = false;
};
template <typename A>
struct is_same_type<A, A> {
  static constexpr bool value = true;
};

template <typename T>
using if_no_class = typename only_if<!__is_class(T)>::type;
template <typename T>
using if_class = typename only_if<__is_class(T)>::type;
template <typename T>
using if_tick = typename only_if<is_same_type<T, tick>::value>::type;
/// A type of the shape of `std::chrono::duration`: core knows no standard library.
template <typename T>
using if_has_period = typename only_if<(T::period::num > 0) && sizeof(static_cast<const T*>(nullptr)->count())>::type;

/// Fails: a number of ticks is beyond the range. A constant does not compile, with optimisation on;
/// without it the compiler keeps the call that no constant reaches.
BATON_INLINE tick beyond_range(bool is_constant) {
#ifdef __OPTIMIZE__
  if (is_constant) delay_out_of_range();
#else
  (void)is_constant;
#endif
  require_in_range(false);
  return 0;
}

/// `count`, if one duration can have so many ticks.
BATON_INLINE constexpr tick in_range(tick count) {
  return count <= longest_delay ? count : beyond_range(__builtin_constant_p(count));
}

/// A count of units for the words of time: a whole number of 32 bits. Another one would lose its
/// fraction, its high bits or its sign in silence. A clock of 32 bits needs no look at the sign: a
/// negative count is beyond its range.
template <typename Number, if_no_class<Number>* = nullptr>
BATON_INLINE uint32_t count_of(Number count) {
  static_assert(static_cast<Number>(1) / static_cast<Number>(2) == static_cast<Number>(0),
                "baton: a time counts whole units; take a smaller unit");
  const bool is_in_range = sizeof(Number) <= 4 ? sizeof(tick) <= 4 || count >= static_cast<Number>(0)
                                               : static_cast<uint64_t>(count) <= UINT32_MAX;
  if (__builtin_constant_p(count) && !is_in_range) delay_out_of_range();
  require_in_range(is_in_range);
  return static_cast<uint32_t>(count);
}
/// An object that converts to its count.
template <typename Object, if_class<Object>* = nullptr>
BATON_INLINE const Object& count_of(const Object& count) {
  return count;
}

/// A whole number as a tick.
template <typename Number>
BATON_INLINE constexpr tick whole(Number n) {
  static_assert(static_cast<Number>(1) / static_cast<Number>(2) == static_cast<Number>(0),
                "baton: a duration is multiplied and divided by whole numbers");
  return static_cast<Number>(static_cast<tick>(n)) == n ? static_cast<tick>(n) : beyond_range(__builtin_constant_p(n));
}

/// The product of a duration and a number. The division of the check is by the constant one of
/// both, and left out of the program then.
BATON_INLINE constexpr tick product(tick length, tick n) {
  return (__builtin_constant_p(n) ? n == 0 || length <= longest_delay / n : length == 0 || n <= longest_delay / length)
             ? static_cast<tick>(length * n)
             : beyond_range(__builtin_constant_p(n) && __builtin_constant_p(length));
}

constexpr uint64_t greatest_divisor(uint64_t a, uint64_t b) {
  return b == 0 ? a : greatest_divisor(b, a % b);
}

/// Conversion of a duration of the shape of `std::chrono::duration`.
template <typename Chrono>
struct chrono_ticks {
  using count_type = typename Chrono::rep;
  static_assert(static_cast<count_type>(1) / static_cast<count_type>(2) == static_cast<count_type>(0),
                "baton: a duration of std::chrono must count whole units; use std::chrono::ceil");

  static constexpr uint64_t numerator = static_cast<uint64_t>(Chrono::period::num) * port::ticks_per_second;
  static constexpr uint64_t denominator = static_cast<uint64_t>(Chrono::period::den);
  static constexpr uint64_t divisor = greatest_divisor(numerator, denominator);
  static constexpr uint64_t ticks_per = numerator / divisor;    // so many ticks
  static constexpr uint64_t units_per = denominator / divisor;  // are so many units
  static constexpr uint64_t most =
      longest_delay / ticks_per >= UINT64_MAX / units_per ? UINT64_MAX : longest_delay / ticks_per * units_per;

  /// The ticks of `count` units, rounded up; no product wraps.
  static BATON_INLINE constexpr tick of(count_type count) {
    return count <= 0 ? 0
           : static_cast<uint64_t>(count) <= most
               ? static_cast<tick>(static_cast<uint64_t>(count) / units_per * ticks_per +
                                   (static_cast<uint64_t>(count) % units_per * ticks_per + units_per - 1) / units_per)
               : beyond_range(__builtin_constant_p(count));
  }
};

/// The value of a literal's digits.
template <uint64_t Value, char... Digits>
struct whole_number {
  static constexpr uint64_t value = Value;
};
template <uint64_t Value, char Digit, char... Rest>
struct whole_number<Value, Digit, Rest...> {
  static_assert(Digit >= '0' && Digit <= '9',
                "baton: a literal of time is a whole decimal number; take a smaller unit");
  static_assert(Value < UINT64_MAX / 10, "baton: this literal of time is beyond 64 bits");
  static constexpr uint64_t value = whole_number<Value * 10 + static_cast<uint64_t>(Digit - '0'), Rest...>::value;
};
template <uint64_t Value, char... Rest>
struct whole_number<Value, '\'', Rest...> : whole_number<Value, Rest...> {};

/// The ticks of a literal that counts units of which `PerSecond` make a second.
template <uint32_t PerSecond, char First, char... Rest>
struct literal {
  static_assert(First != '0' || sizeof...(Rest) == 0,
                "baton: a literal of time is a whole decimal number; take a smaller unit");
  static constexpr uint64_t count = whole_number<0, First, Rest...>::value;
  static constexpr uint64_t most =
      uint64_t{longest_delay} / rate<PerSecond>::ticks_per_unit >= UINT64_MAX / rate<PerSecond>::units_per_tick
          ? UINT64_MAX
          : uint64_t{longest_delay} / rate<PerSecond>::ticks_per_unit * rate<PerSecond>::units_per_tick;
  static_assert(count <= most,
                "baton: this duration is beyond the range of the clock; give the coroutine the base "
                "baton::long_timed and use BATON_DELAY_S, or use a coarser clock");
  static constexpr tick ticks = static_cast<tick>(count > most ? 0 : wide_ticks<PerSecond>(count));
};

}  // namespace detail
}  // namespace baton
