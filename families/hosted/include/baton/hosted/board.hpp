// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// What the <baton/board.hpp> of boards with Linux is made of.

namespace baton {
namespace board {

/// A sink of characters, for core's renderers: standard output.
///
/// Context  any thread; not a signal handler.
struct console {
  static void put(char c) { putchar(c); }
};

/// The LED that such a machine lacks; it remembers, so that a test can look.
struct led {
  static void set(bool on) { state() = on; }
  static void toggle() { state() = !state(); }
  static bool is_on() { return state(); }

 private:
  static bool& state() {
    static bool on;
    return on;
  }
};

/// Starts the clock; the first line of main().
inline void start() {
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // lines arrive as they are written, through a pipe too
  port::start();
}

/// Writes what is pending and ends the program.
[[noreturn]] inline void finish(uint8_t exit_code) {
  exit(exit_code);
}

}  // namespace board
}  // namespace baton
