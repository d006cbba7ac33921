// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/core.hpp>
#include <stdint.h>

// The output of the examples. A program of your own prints in its own way.

namespace say_detail {

inline void put(char c) {
  baton::board::console::put(c);
}

inline void put(const char* text) {
  while (*text) put(*text++);
}

template <typename Number>
void put(Number number) {
  char digits[10];
  uint8_t used = 0;
  uint32_t left = static_cast<uint32_t>(number);
  do {
    digits[used++] = static_cast<char>('0' + left % 10);
    left /= 10;
  } while (left);
  while (used) put(digits[--used]);
}

}  // namespace say_detail

/// Ends the line.
inline void say() {
  say_detail::put("\r\n");
}

/// Prints texts, characters and numbers that are not negative, as one line: `say("got ", n)`.
///
/// Context  waits for the console: a coroutine or main, never an interrupt.
/// Cost     on AVR each text lies in RAM too. A program that is short of RAM uses BATON_TEXT and
///          core's renderers.
template <typename First, typename... Rest>
void say(First first, Rest... rest) {
  say_detail::put(first);
  say(rest...);
}

/// Milliseconds since the first call, to the nearest 200, so that a busy machine prints the same as
/// an idle one.
inline uint32_t about_ms() {
  static const baton::tick first = baton::port::now();
  const baton::tick passed = static_cast<baton::tick>(baton::port::now() - first);
  const baton::tick step = baton::milliseconds(200);
  return static_cast<uint32_t>((passed + step / 2) / step) * 200;
}
