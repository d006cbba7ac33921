// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>
#include <stdint.h>

/// Prints text to a sink: an object, or a type with a static `put(char)`.
namespace baton {
namespace bench {

template <typename Sink>
void print(const char* text) {
  while (*text) Sink::put(*text++);
}

/// Text that may lie in flash.
template <typename Sink>
void print_text(port::text text) {
  for (char c; (c = port::read(text)) != 0; ++text) Sink::put(c);
}

template <typename Sink>
void print_number(uint64_t n, uint8_t at_least = 1) {
  if (n >= 10 || at_least > 1) print_number<Sink>(n / 10, static_cast<uint8_t>(at_least > 1 ? at_least - 1 : 1));
  Sink::put(static_cast<char>('0' + n % 10));
}

/// A number of thousandths as `12.345`.
template <typename Sink>
void print_thousandths(uint64_t n) {
  print_number<Sink>(n / 1000);
  Sink::put('.');
  print_number<Sink>(n % 1000, 3);
}

}  // namespace bench
}  // namespace baton
