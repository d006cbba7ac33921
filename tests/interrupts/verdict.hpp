// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <stdint.h>

/// Prints the results of the programs of this folder on the console.
namespace verdict {

inline void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

inline void say(uint32_t number) {
  char digits[10];
  uint8_t used = 0;
  do {
    digits[used++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number);
  while (used) baton::board::console::put(digits[--used]);
}

inline void line(const char* what, uint32_t number) {
  say(what);
  say(": ");
  say(number);
  say("\n");
}

/// Prints the last line, which tells a test that the program came to its end.
[[noreturn]] inline void give(bool good) {
  say(good ? "verdict: good\n" : "verdict: bad\n");
  baton::board::finish(good ? 0 : 1);
}

}  // namespace verdict
