// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/missing_capability.hpp>
#include <baton/core/spi/text.hpp>
#include <stdint.h>

namespace baton {

/// The form of a number in print: `decimal(n).wide(6)`, `hexadecimal(n).wide(4)`,
/// `decimal(n).fixed(1)`.
///
/// Units    `wide(n)` fills the number to `n` characters: decimal with spaces at the left,
///          hexadecimal with zeros. `fixed(n)` writes a point before the last `n` digits: 215 with
///          one is `21.5`. A number is never cut.
template <typename Number>
struct number_format {
  constexpr number_format(Number n, uint8_t with_base, char with_fill, uint8_t with_width = 0,
                          uint8_t with_decimals = 0)
      : number(n), base(with_base), width(with_width), decimals(with_decimals), fill(with_fill) {}

  constexpr number_format wide(uint8_t characters) const { return {number, base, fill, characters, decimals}; }
  constexpr number_format fixed(uint8_t digits) const { return {number, base, fill, width, digits}; }

  template <typename Sink>
  void print_to(Sink& sink) const;

  Number number;
  uint8_t base, width, decimals;
  char fill;
};

template <typename Number>
constexpr number_format<Number> decimal(Number n) {
  return {n, 10, ' '};
}

/// Hexadecimal, in lower case; a negative number as its two's complement.
template <typename Number>
constexpr number_format<Number> hexadecimal(Number n) {
  return {n, 16, '0'};
}

/// Text that may lie in flash: `print(sink, constant_text(BATON_TEXT("ready")))`. On AVR any other
/// text takes RAM, too.
struct constant_text {
  constexpr explicit constant_text(port::text t) : text(t) {}

  template <typename Sink>
  BATON_NOINLINE void print_to(Sink& sink) const {
    spi::put_text(sink, text);
  }

  port::text text;
};

namespace detail {

/// The type whose routine prints an integer: of 16 bits on AVR, where those of 32 and 64 bits are
/// larger, of 32 bits elsewhere, or of 64 bits.
template <bool IsNarrow, bool IsWide>
struct digits_of {
  using type = uint32_t;
};
template <>
struct digits_of<true, false> {
  using type = unsigned;
};
template <>
struct digits_of<false, true> {
  using type = uint64_t;
};
template <typename Number>
using digits_type = typename digits_of<sizeof(Number) <= sizeof(unsigned), (sizeof(Number) > 4)>::type;

template <typename Sink>
BATON_NOINLINE void put_characters(Sink& sink, const char* text) {
  while (*text) sink.put(*text++);
}

/// Prints `n`, whose sign is `is_negative`. An argument that is the same in all calls of a program
/// takes no code.
template <typename Sink, typename Digits>
BATON_NOINLINE void put_digits(Sink& sink, Digits n, bool is_negative, uint8_t base, uint8_t width, uint8_t decimals,
                               char fill) {
  char digits[sizeof(Digits) * 5 / 2];
  uint8_t used = 0;
  do {
    const uint8_t digit = static_cast<uint8_t>(n % base);
    digits[used++] = static_cast<char>(digit < 10 ? '0' + digit : 'a' - 10 + digit);
    n /= base;
  } while (n);
  uint8_t left = used <= decimals ? static_cast<uint8_t>(decimals + 1) : used;
  for (uint8_t i = static_cast<uint8_t>(left + is_negative + (decimals != 0)); i < width; ++i) sink.put(fill);
  if (is_negative) sink.put('-');
  while (left) {
    sink.put(--left < used ? digits[left] : '0');
    if (decimals && left == decimals) sink.put('.');
  }
}

template <typename Sink, typename Number>
BATON_INLINE void put_integer(Sink& sink, Number n, uint8_t base, uint8_t width, uint8_t decimals, char fill) {
  using digits = digits_type<Number>;
  // No warning for an unsigned type.
  const bool is_negative = base == 10 && n < static_cast<Number>(1) && n != static_cast<Number>(0);
  digits bits = static_cast<digits>(n);  // NOLINT(bugprone-signed-char-misuse): with its sign
  if (is_negative) bits = static_cast<digits>(0 - bits);
  if (sizeof(Number) < sizeof(digits) && !is_negative)
    bits &= (static_cast<digits>(1) << (8 * sizeof(Number) % (8 * sizeof(digits)))) - 1;
  put_digits(sink, bits, is_negative, base, width, decimals, fill);
}

/// True for integers, the only types that have a remainder.
template <typename T>
constexpr bool is_integer(int, decltype(T() % 1)* = nullptr) {
  return true;
}
template <typename T>
constexpr bool is_integer(long) {
  return false;
}

/// Prints a value of a type of its own, which says how by `print_to(sink)`.
template <typename T, bool IsInteger = is_integer<T>(0)>
struct printer {
  template <typename Sink>
  static BATON_INLINE void put(Sink& sink, const T& value) {
    by_itself(sink, value, 0);
  }

 private:
  template <typename Sink, typename Value>
  static BATON_INLINE auto by_itself(Sink& sink, const Value& value, int) -> decltype(value.print_to(sink)) {
    value.print_to(sink);
  }
  template <typename Sink, typename Value>
  static void by_itself(Sink&, const Value&, long) {
    static_assert(never<Value>::value,
                  "print takes texts, characters, integers, and types with print_to(sink); "
                  "for a fraction scale it to an integer: decimal(n).fixed(2)");
  }
};

template <typename T>
struct printer<T, true> {
  template <typename Sink>
  static BATON_INLINE void put(Sink& sink, T value) {
    put_integer(sink, value, 10, 0, 0, ' ');
  }
};

template <>
struct printer<char, true> {
  template <typename Sink>
  static BATON_INLINE void put(Sink& sink, char c) {
    sink.put(c);
  }
};

template <>
struct printer<const char*, false> {
  template <typename Sink>
  static BATON_INLINE void put(Sink& sink, const char* text) {
    put_characters(sink, text);
  }
};
template <>
struct printer<char*, false> : printer<const char*, false> {};

}  // namespace detail

template <typename Number>
template <typename Sink>
void number_format<Number>::print_to(Sink& sink) const {
  detail::put_integer(sink, number, base, width, decimals, fill);
}

/// Prints values to a sink, one after the other: `print(console, "got ", n, '\n')`.
///
/// Shape    a sink is an object with `void put(char)`: a board's console, `print_sink` of a sketch,
///          one's own. A value is a text, a character, an integer (`uint8_t` is a number), a
///          `number_format`, a `constant_text`, or an object with `print_to(sink)`.
/// Context  that of the sink. A board's console waits for its transmitter: a job or main, never an
///          interrupt.
/// Cost     flash on AVR: suite memory, cases print_text, print_number and print_number_two.
template <typename Sink>
BATON_INLINE void print(Sink&&) {}

template <typename Sink, typename First, typename... Rest>
BATON_INLINE void print(Sink&& sink, First first, Rest... rest) {
  detail::printer<First>::put(sink, first);
  print(sink, rest...);
}

/// As `print`, and ends the line, with CRLF.
template <typename Sink, typename... Values>
BATON_INLINE void print_line(Sink&& sink, Values... values) {
  print(sink, values..., "\r\n");
}

}  // namespace baton
