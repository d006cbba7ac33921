// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// The parts of the <baton/board.hpp> of boards with Linux.

namespace baton {
namespace board {

/// A sink of characters, for core's renderers: standard output.
///
/// Context  any thread; not a signal handler.
struct console {
  static void put(char c) { putchar(c); }
};

/// Stands for the LED that such a machine lacks. It remembers its state for tests.
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

/// Starts the clock; it is the first call of main().
inline void start() {
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // lines arrive as they are written, also through a pipe
  port::start();
}

/// Writes pending output and ends the program.
[[noreturn]] inline void finish(uint8_t exit_code) {
  exit(exit_code);
}

}  // namespace board
}  // namespace baton
