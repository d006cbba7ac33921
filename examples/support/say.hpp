// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/core.hpp>
#include <stdint.h>

/// Prints texts, characters and integers as one line: `say("got ", n)`.
///
/// Context  waits for the console: a coroutine or main, never an interrupt.
/// Cost     on AVR each text lies in RAM too. A program that is short of RAM prints a
///          `baton::constant_text`.
template <typename... Values>
void say(Values... values) {
  baton::board::console console;
  baton::print_line(console, values...);
}

/// Milliseconds since the first call, to the nearest 200, so that a busy machine prints the same as
/// an idle one.
inline uint32_t about_ms() {
  static const baton::tick first = baton::port::now();
  const baton::tick passed = static_cast<baton::tick>(baton::port::now() - first);
  const baton::duration step = baton::milliseconds(200);
  return static_cast<uint32_t>((passed + step / 2) / step) * 200;
}
